/** A namespace as the texts for the model name it; every declared namespace has this shape. */
export interface NamedMembers {
  readonly global: string;
  readonly members: readonly string[];
}

const SHOWN = 5;

/** How a program writes a member: `tools.add`, `tools["my-tool"]`. */
export const memberPath = (global: string, member: string): string =>
  /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(member) ? `${global}.${member}` : `${global}[${JSON.stringify(member)}]`;

/** The first namespace that has members: the one a program is told of. */
export const mainNamespace = (namespaces: readonly NamedMembers[]): NamedMembers | undefined =>
  namespaces.find((namespace) => namespace.members.length > 0);

/** One sentence with the tools that exist, a few of them by name. */
export const toolsSentence = (namespaces: readonly NamedMembers[]): string => {
  const main = mainNamespace(namespaces);
  if (!main) return 'No tools are available to this program.';
  const shown = main.members.slice(0, SHOWN).map((member) => memberPath(main.global, member).slice(0, 80));
  const more = main.members.length - shown.length;
  return `Call the tools that exist: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
};
