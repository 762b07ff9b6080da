/** Commands that models send in place of a program; none of them is a name that a program gets. */
const COMMANDS = new Set(
  `ls cd pwd cat echo mkdir rm cp mv touch grep egrep rg find sed awk head tail curl wget git npm npx pnpm yarn node deno
  bun python python3 pip pip3 bash sh zsh sudo apt apt-get brew docker kubectl make chmod chown which ps kill tar
  unzip zip ssh scp cargo go tsc tree wc sort uniq xargs tee env printf whoami uname df du jq`.split(/\s+/),
);

/** Whether a name is that of a command a shell would run. */
export const isCommand = (name: string): boolean => COMMANDS.has(name);

/**
 * Whether a text that is no program starts like a line for a shell: a prompt, a path to a script, or a known command
 * followed by a blank. Only advice hangs on it.
 */
export const looksLikeShell = (text: string): boolean => {
  const line = firstLine(text);
  if (/^(?:\$ |#!\/|\.\.?\/|~\/)/.test(line)) return true;
  const word = /^[a-z][a-z0-9-]*(?=\s|$)/.exec(line)?.[0];
  return word !== undefined && isCommand(word) && !/^\s*(?:=|:|\?)/.test(line.slice(word.length));
};

/** The first line of a text that is neither blank nor a comment of any kind. */
export const firstLine = (text: string): string => {
  for (const raw of text.slice(0, 2_000).split(/[\r\n]+/)) {
    const line = raw.trim();
    if (line !== '' && !(line.startsWith('#') && !line.startsWith('#!')) && !line.startsWith('//'))
      return line;
  }
  return '';
};

/** What a model that sent a shell command is told. */
export const SHELL_HINT = 'A TypeScript program is wanted, not a shell command.';
