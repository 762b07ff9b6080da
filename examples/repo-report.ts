// Walks this repository's source folders, reads every TypeScript file in parallel, and counts lines and exports per folder.
type Row = { folder: string; files: number; lines: number; exports: number };

const roots = ['runtime', 'bridge', 'sdk-gen', 'policies', 'adapters', 'cli'];

async function sourceFiles(folder: string): Promise<string[]> {
  const { content } = await tools.filesystem__list_directory({ path: folder });
  const entries = content.split('\n').map((line: string) => line.trim());
  const named = (mark: string) => entries.filter((entry) => entry.startsWith(mark)).map((entry) => `${folder}/${entry.slice(mark.length)}`);
  const inside = await Promise.all(named('[DIR] ').map(sourceFiles));
  return [...named('[FILE] ').filter((path) => path.endsWith('.ts')), ...inside.flat()];
}

async function report(folder: string): Promise<Row> {
  const files = await sourceFiles(folder);
  const texts = await Promise.all(files.map(async (path) => (await tools.filesystem__read_text_file({ path })).content));
  const count = (pattern: RegExp) => texts.reduce((sum: number, text: string) => sum + (text.match(pattern)?.length ?? 0), 0);
  return { folder, files: files.length, lines: count(/\n/g), exports: count(/^export\b/gm) };
}

const rows = await Promise.all(roots.map(report));
const total = rows.reduce((sum, row) => ({
  folder: 'total',
  files: sum.files + row.files,
  lines: sum.lines + row.lines,
  exports: sum.exports + row.exports,
}));

const line = ({ folder, files, lines, exports }: Row) =>
  `${folder.padEnd(10)}${String(files).padStart(7)}${String(lines).padStart(8)}${String(exports).padStart(9)}`;
return [`folder      files   lines  exports`, ...[...rows, total].map(line)].join('\n');
