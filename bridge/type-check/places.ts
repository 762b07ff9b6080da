import type { CheckerSubject, CheckerText } from '../../sdk-gen/checker/checker-text.js';
import type { Place } from './classify.js';
import { linesOf, type RawDiagnostic } from './diagnostic.js';
import type { ProgramHabits } from './program-habits.js';
import { Kind, type SyntaxTree, type TreeNode } from './syntax-tree.js';

/** Nodes through which an argument is still the argument: what is written in place. */
const LITERAL: ReadonlySet<number> = new Set<number>([
  ...[Kind.ArrayLiteral, Kind.ObjectLiteral, Kind.PropertyAssignment, Kind.ShorthandProperty],
  ...[Kind.Spread, Kind.SpreadAssignment, Kind.Conditional, Kind.Parenthesized],
]);

const READ: ReadonlySet<number> = new Set<number>([
  ...[Kind.Identifier, Kind.PropertyAccess, Kind.ElementAccess, Kind.Parenthesized, Kind.StringLiteral],
]);

/** Where a program reads what `Intl` holds, unless it asks first whether there is one. */
export function intlUses(tree: SyntaxTree, text: string): number[] {
  if (!text.includes('Intl') || /typeof\s+Intl|globalThis/.test(text)) return [];
  return tree.ofKind(Kind.PropertyAccess).flatMap((node) => {
    const receiver = tree.children(node)[0]!;
    const name = text.slice(tree.pos(receiver), tree.end(receiver)).trim();
    return name === 'Intl' ? [tree.end(receiver) - name.length] : [];
  });
}

/** Where a diagnostic lies. */
export interface Spot {
  readonly place: Omit<Place, 'isToolArgument' | 'isExact'>;
  /** The call of whose literal arguments it is a part. */
  readonly call: TreeNode | undefined;
  /** The function of the innermost call in whose arguments it lies. */
  readonly callee: string | undefined;
}

/** A program as the rules look at it. */
export interface CheckedProgramText {
  readonly tree: SyntaxTree;
  readonly text: string;
  readonly habits: ProgramHabits;
  readonly sdk: CheckerText;
}

/** Finds the place of a diagnostic in the tree. */
export function spotOf(diagnostic: RawDiagnostic, { tree, text, habits, sdk }: CheckedProgramText): Spot {
  const path = tree.pathTo(diagnostic.pos);
  const kinds = path.map((node) => tree.kind(node));
  const name = text.slice(diagnostic.pos, diagnostic.end);
  return {
    place: {
      isType: kinds.some(isTypeNode),
      isTypeofOperand: isAskedFor(kinds) || kinds.includes(Kind.TypeQuery),
      isQuotedKey: path.some((node) => tree.end(node) === diagnostic.end && isQuotedAccess(tree, node)),
      after: text.slice(diagnostic.end, diagnostic.end + 40),
      isEmptyLiteral:
        /^\{\s*\}$/.test(name) || /^\s*:\s*\{\s*\}/.test(text.slice(diagnostic.end, diagnostic.end + 40)),
      isAlwaysCalled: isAlwaysCalled(name, text),
      isDoubted: habits.doubts(diagnostic.pos),
      isAdded: habits.adds(name),
      isOfOneShape: isOfOneShape(name, diagnostic.text, sdk),
      isOpenSource: isOpenSource(linesOf(diagnostic).at(-1)!, sdk),
      isCaught: /\bcatch\b/.test(text),
    },
    call: callAround(path, tree),
    callee: calleeAround(path, tree, text),
  };
}

/** Whether a property is declared for one of the shapes that a value may have, but not for all. */
function isOfOneShape(name: string, message: string, { subjects }: CheckerText): boolean {
  const types = [...new Set(message.match(/\bSDK_\d+\b/g))].map((type) => subjects.get(type));
  if (types.length < 2) return false;
  const words = new Set(types.map((subject) => subject?.words));
  for (const subject of subjects.values()) {
    if (words.has(subject.words) && declares(subject, name)) return true;
  }
  return false;
}

const declares = ({ properties }: CheckerSubject, name: string): boolean =>
  properties.includes(name) || properties.includes(`${name}?`);

/** Whether what does not fit is of a type that may have more than is declared of it. */
function isOpenSource(line: string, { subjects }: CheckerText): boolean {
  const source = /^(?:Property '.*?' is missing in type|Type) '(SDK_\d+)(?:\[\])?'/.exec(line)?.[1];
  return source !== undefined && subjects.get(source)?.isOpen === true;
}

/** The function to which something is passed as it stands. */
function calleeAround(path: readonly TreeNode[], tree: SyntaxTree, text: string): string | undefined {
  for (let i = path.length - 2; i >= 0; i -= 1) {
    if (tree.kind(path[i]!) !== Kind.Call) continue;
    const callee = tree.children(path[i]!)[0]!;
    if (callee !== path[i + 1]) return text.slice(tree.pos(callee), tree.end(callee)).trim();
  }
  return undefined;
}

/** Whether a name, or what is read of it, stands under `typeof`. */
function isAskedFor(kinds: readonly number[]): boolean {
  const last = kinds.lastIndexOf(Kind.TypeOf);
  return last !== -1 && kinds.slice(last + 1).every((kind) => READ.has(kind));
}

/** Whether a program relies on a member: it only ever calls it. */
function isAlwaysCalled(name: string, text: string): boolean {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return false;
  const uses = text.match(new RegExp(`\\b${name.replaceAll('$', '\\$&')}\\b\\s*\\(?`, 'g')) ?? [];
  return uses.every((use) => use.endsWith('('));
}

function isTypeNode(kind: number): boolean {
  return (kind >= Kind.FirstType && kind <= Kind.LastType) || kind === Kind.ExpressionWithTypeArguments;
}

function isQuotedAccess(tree: SyntaxTree, node: TreeNode): boolean {
  if (tree.kind(node) !== Kind.ElementAccess) return false;
  const key = tree.kind(tree.children(node).at(-1) ?? node);
  return key === Kind.StringLiteral || key === Kind.NoSubstitutionTemplateLiteral;
}

/** The call in whose arguments a node is written, with nothing but literals between them. */
function callAround(path: readonly TreeNode[], tree: SyntaxTree): TreeNode | undefined {
  for (let i = path.length - 2; i >= 0; i -= 1) {
    const kind = tree.kind(path[i]!);
    if (kind === Kind.Call) return tree.children(path[i]!)[0] === path[i + 1] ? undefined : path[i];
    if (!LITERAL.has(kind)) return undefined;
  }
  return undefined;
}
