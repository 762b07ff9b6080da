import type { Place } from './classify.js';
import type { RawDiagnostic } from './diagnostic.js';
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
}

/** Finds the place of a diagnostic in the tree. */
export function spotOf(diagnostic: RawDiagnostic, tree: SyntaxTree, text: string): Spot {
  const path = tree.pathTo(diagnostic.pos);
  const kinds = path.map((node) => tree.kind(node));
  return {
    place: {
      isType: kinds.some(isTypeNode),
      isTypeofOperand: isAskedFor(kinds) || kinds.includes(Kind.TypeQuery),
      isQuotedKey: path.some((node) => tree.end(node) === diagnostic.end && isQuotedAccess(tree, node)),
      after: text.slice(diagnostic.end, diagnostic.end + 40),
      isAlwaysCalled: isAlwaysCalled(text.slice(diagnostic.pos, diagnostic.end), text),
      isCaught: /\bcatch\b/.test(text),
    },
    call: callAround(path, tree),
  };
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
