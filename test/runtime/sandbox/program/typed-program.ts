import fc from 'fast-check';

/** A stretch of a program: code that stays, or types that go. */
interface Piece {
  readonly text: string;
  readonly isType: boolean;
}

export interface TypedProgram {
  readonly typed: string;
  /** The same text with every type replaced by blanks. */
  readonly blanked: string;
  /** The same program as somebody would write it without types. */
  readonly plain: string;
}

const js = (text: string): Piece => ({ text, isType: false });
const ts = (text: string): Piece => ({ text, isType: true });

type Pieces = fc.Arbitrary<readonly Piece[]>;

const sequence = (...parts: readonly (string | Pieces)[]): Pieces =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant([js(part)]) : part)))
    .map((lists) => lists.flat());

const optional = (pieces: Pieces): Pieces => fc.oneof(fc.constant([]), pieces);

const types = (...texts: readonly string[]): Pieces => fc.constantFrom(...texts).map((text) => [ts(text)]);

const TYPE_TEXTS = [
  'number',
  'Map<string, number[]>',
  '{ a: string; b?: "日本😀" }',
  '(x: number, y?: T) => void',
  '| "a"\n  | "b"',
  'typeof globalThis',
  '[a: string, ...b: number[]]',
  'A extends infer U ? U[] : never',
  '`x-${string}`',
  'Record<string, /* why */ () => Promise<unknown>>',
  'readonly string[]',
  'keyof A & { [k in B]: C }',
];

const annotation = types(...TYPE_TEXTS.map((text) => `: ${text}`), ':\n    any');
const generics = types('<T>', '<T extends object = {}>', '<const T, U>', '<\n  T,\n>');
const cast = types(' as any', ' as unknown as number', ' satisfies any', '!', ' as {\n  a: 1\n}');
const typeArguments = types('<number>', '<Array<Array<string>>>');

const { expression } = fc.letrec<{ expression: readonly Piece[] }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('1', '"s"', 'one', '[one, 2]', '`t`', '/[:<>]/g').map((text) => [js(text)]),
    sequence('(', tie('expression'), cast, ')'),
    sequence('identity', optional(typeArguments), '(', tie('expression'), ')'),
    sequence('(', tie('expression'), ' ? ', tie('expression'), ' : ', tie('expression'), ')'),
    sequence('`a${', tie('expression'), '}`'),
    sequence(
      '{ key: ',
      tie('expression'),
      ', list: [',
      tie('expression'),
      ', ...[',
      tie('expression'),
      ']] }.list',
    ).map((pieces) => [js('('), ...pieces, js(')')]),
    sequence('((a', optional(types('?')), optional(annotation), ') => ', tie('expression'), ')(0)'),
    sequence(
      '(async ',
      optional(generics),
      '(',
      optional(sequence('{ a }', annotation, ' = { a: 1 }')),
      ')',
      optional(annotation),
      ' => ',
      tie('expression'),
      ', one)',
    ),
    sequence(
      '(function',
      optional(generics),
      '(',
      optional(types('this: any, ')),
      'a',
      optional(annotation),
      ', ...rest',
      optional(annotation),
      ')',
      optional(annotation),
      ' { return ',
      tie('expression'),
      '; })(1)',
    ),
    sequence('(', tie('expression'), cast, ' === ', tie('expression'), ')'),
  ),
}));

let names = 0;

const statement: Pieces = fc
  .oneof(
    sequence('const NAME', optional(annotation), ' = ', expression, optional(cast), ';'),
    sequence('const NAME', optional(annotation), ' = ', expression, optional(cast)),
    sequence(
      'let NAME',
      fc
        .constantFrom<readonly Piece[]>([], [ts('!')])
        .chain((bang) => annotation.map((type) => [...bang, ...type])),
      ';',
    ),
    sequence('var { NAME = 1 }', optional(annotation), ' = { NAME: ', expression, optional(cast), ' };'),
    types(
      'type NAME<T> = T | {\n  a: 1;\n}',
      'interface NAME extends Array<number> { a: 1; b(): void }',
      'declare const NAME: number;',
      'declare function NAME(): void',
      'import type { NAME } from "x"',
      'export type { NAME }',
      'declare global { interface NAME {} }',
    ),
    sequence(
      types('function NAME(a: number): void;\n'),
      'function NAME(a',
      optional(types('?')),
      annotation,
      ') { return a; }',
    ),
    sequence(
      fc.constantFrom<readonly Piece[]>([], [ts('abstract ')]),
      'class NAME',
      optional(types('<T>')),
      ' extends Base',
      optional(types('<T, any>')),
      optional(types(' implements A, B<T>')),
      ' {\n  ',
      optional(types('declare a: string;\n  ', '[key: string]: any;\n  ', 'method(): void;\n  ')),
      optional(types('private ', 'public readonly ', 'protected override ')),
      'field',
      optional(types('?', '!')),
      optional(annotation),
      fc.constantFrom<readonly Piece[]>([js(' = 1;')], [js(' = one;')]),
      '\n  static ',
      optional(types('readonly ')),
      '["computed"]',
      optional(annotation),
      ' = 2;\n  ',
      optional(types('private ')),
      'async *method',
      optional(types('<T>')),
      '(a',
      optional(annotation),
      ')',
      optional(annotation),
      ' { yield a; }\n  get size()',
      optional(annotation),
      ' { return 1; }\n}',
    ),
    sequence('for (const x', ' of ', '[one', optional(cast), ']) { void x', optional(cast), '; }'),
    sequence(
      'try { void ',
      expression,
      '; } catch (e',
      optional(types(': any', ': unknown')),
      ') { void e; }',
    ),
    sequence('out.push(', expression, optional(cast), ')'),
    sequence('out.push(', expression, optional(cast), ');'),
  )
  .map((pieces) => {
    const name = `n${names++}`;
    return pieces.map(({ text, isType }) => ({ text: text.replaceAll('NAME', name), isType }));
  });

const HEAD = 'const out = [];\nconst one = 1;\nconst identity = (x) => x;\nclass Base { method() {} }\n';

/** Programs whose types can be cut out in place. */
export const typedPrograms: fc.Arbitrary<TypedProgram> = fc
  .array(statement, { minLength: 1, maxLength: 6 })
  .map((statements) => {
    const pieces = statements.flatMap((list) => [...list, js('\n')]);
    const text = (ofType: (text: string) => string) =>
      `${HEAD}${pieces.map((piece) => (piece.isType ? ofType(piece.text) : piece.text)).join('')}return out;`;
    return {
      typed: text((type) => type),
      blanked: text((type) => type.replace(/[^\n]/g, ' ')),
      plain: text(() => ' '),
    };
  });
