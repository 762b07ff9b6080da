import { isTypeScript, nodeAt, nodesAt, type Place, type PlacedNode, type TreeNode } from './tree.js';

/** A construct that a program may not use. */
export interface Refusal {
  readonly offset: number;
  /** What is not available, in the grammar of a sentence's first half. */
  readonly reason: string;
  /** What the advice is about: modules get the tools that exist. */
  readonly instead: 'modules' | 'return' | 'decorators' | 'accessors' | 'using' | 'merged' | 'none';
}

/** What a tree holds that decides how it is run. */
export interface Survey {
  /** The first refused construct of the text. */
  readonly refusal: Refusal | undefined;
  /** A `return` that belongs to the program itself. */
  readonly returns: boolean;
  /** Reads of `arguments` that would see the wrapper's. */
  readonly ownArguments: readonly { readonly node: TreeNode; readonly shorthand: boolean }[];
  /** Syntax that types cannot simply be cut out of: `enum`, `namespace`, parameter properties. */
  readonly nonErasable: boolean;
}

/** Reads a tree whose types are leaves. */
export const surveyOf = (nodes: readonly PlacedNode[]): Survey => {
  let refusal: Refusal | undefined;
  let returns = false;
  let nonErasable = false;
  const ownArguments: { node: TreeNode; shorthand: boolean }[] = [];
  for (const { node, place, isLeaf } of nodes) {
    const found = refusalOf(node, place);
    if (found && (!refusal || found.offset < refusal.offset)) refusal = found;
    switch (node.type) {
      case 'ReturnStatement':
        returns ||= !place.inFunction;
        break;
      case 'TSEnumDeclaration':
      case 'TSModuleDeclaration':
      case 'TSParameterProperty':
        nonErasable ||= !isLeaf;
        break;
      case 'Identifier':
        if (node['name'] === 'arguments' && !place.inOwnArguments && isReference(place)) {
          const shorthand = place.parent?.type === 'ObjectProperty' && place.parent['shorthand'] === true;
          ownArguments.push({ node, shorthand });
        }
        break;
    }
  }
  return { refusal, returns, ownArguments, nonErasable };
};

/** Whether a node means nothing at run time: a type, or a declaration of types or of things that live elsewhere. */
export const isTypeOnly = (node: TreeNode): boolean => {
  // T, V, C, I and E begin what can be; names are asked most often.
  const first = node.type.charCodeAt(0);
  if (
    (first !== 84 && first !== 86 && first !== 67 && first !== 73 && first !== 69) ||
    node.type === 'Identifier'
  )
    return false;
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'TSParameterProperty':
    case 'TSModuleBlock':
    case 'TSEnumBody':
    case 'TSEnumMember':
    case 'TSExportAssignment':
    case 'TSExternalModuleReference':
      return false;
    case 'TSImportEqualsDeclaration':
      return node['importKind'] === 'type';
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'VariableDeclaration':
    case 'ClassDeclaration':
    case 'ClassProperty':
    case 'ClassAccessorProperty':
      return node['declare'] === true || (node.type === 'ClassProperty' && node['abstract'] === true);
    case 'ImportDeclaration':
      return node['importKind'] === 'type' || areTypes(nodesAt(node, 'specifiers'), 'importKind');
    case 'ExportNamedDeclaration': {
      const declared = nodeAt(node, 'declaration');
      return (
        node['exportKind'] === 'type' ||
        (declared ? isTypeOnly(declared) : areTypes(nodesAt(node, 'specifiers'), 'exportKind'))
      );
    }
    case 'ExportDefaultDeclaration':
      return isTypeOnly(node['declaration'] as TreeNode);
    default:
      return isTypeScript(node);
  }
};

const areTypes = (specifiers: readonly TreeNode[], field: string): boolean =>
  specifiers.length > 0 && specifiers.every((specifier) => specifier[field] === 'type');

const isReference = ({ parent, field }: Place): boolean => {
  if (!parent) return true;
  if (field === 'property') return parent['computed'] === true;
  // A shorthand property holds its name twice; the value is the reference.
  if (field === 'key') return parent['computed'] === true;
  return field !== 'label';
};

const refusalOf = (node: TreeNode, place: Place): Refusal | undefined => {
  const at = (reason: string, instead: Refusal['instead']): Refusal => ({
    offset: node.start,
    reason,
    instead,
  });
  switch (node.type) {
    case 'Import':
    case 'ImportExpression':
      return at('`import()` is not available', 'modules');
    case 'ImportDeclaration':
    case 'TSImportEqualsDeclaration':
      return isTypeOnly(node) ? undefined : at('`import` is not available', 'modules');
    case 'ExportNamedDeclaration':
      if (isTypeOnly(node) || place.parent?.type === 'TSModuleBlock') return undefined;
      return at('`export` is not available', 'return');
    case 'ExportAllDeclaration':
      return node['exportKind'] === 'type' ? undefined : at('`export` is not available', 'modules');
    case 'ExportDefaultDeclaration':
      return isTypeOnly(node) ? undefined : at('`export` is not available', 'return');
    case 'TSExportAssignment':
    case 'TSNamespaceExportDeclaration':
      return at('`export` is not available', 'return');
    case 'Decorator':
      return at('decorators are not available', 'decorators');
    case 'ClassAccessorProperty':
      return at('`accessor` fields are not available', 'accessors');
    case 'VariableDeclaration':
      return node['kind'] === 'using' || node['kind'] === 'await using'
        ? at('`using` declarations are not available', 'using')
        : undefined;
    case 'RegExpLiteral':
      return regularExpression(node);
    default:
      return undefined;
  }
};

/** The parser does not read patterns; the sandbox would refuse a bad one without saying where. */
const regularExpression = (node: TreeNode): Refusal | undefined => {
  const { pattern, flags } = node as unknown as { readonly pattern: string; readonly flags: string };
  const problem = patternProblem(pattern, flags);
  // An engine may be newer than this one: then it decides.
  if (problem === undefined || patternProblem(withoutNewest(pattern), flags) === undefined) return undefined;
  return { offset: node.start, reason: problem.slice(0, 300), instead: 'none' };
};

const patternProblem = (pattern: string, flags: string): string | undefined => {
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : 'Invalid regular expression';
  }
};

/** Without flags for a part, and without a second group of the same name. */
const withoutNewest = (pattern: string): string => {
  const names = new Set<string>();
  return pattern
    .replace(/\(\?[ims]*(?:-[ims]*)?:/g, '(?:')
    .replace(/\(\?<([^=!>][^>]*)>/g, (group, name: string) => {
      if (names.has(name)) return '(?:';
      names.add(name);
      return group;
    });
};
