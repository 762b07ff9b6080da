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

/** Where a diagnostic lies. */
export interface Spot {
  readonly place: Omit<Place, 'isToolArgument'>;
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
    },
    call: callAround(path, tree),
  };
}

/** Whether a name, or what is read of it, stands under `typeof`. */
function isAskedFor(kinds: readonly number[]): boolean {
  const last = kinds.lastIndexOf(Kind.TypeOf);
  return last !== -1 && kinds.slice(last + 1).every((kind) => READ.has(kind));
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
