/** A figure with as many digits as mean something. */
export function figure(x) {
  const size = Math.abs(x);
  if (size >= 1000) return Math.round(x).toLocaleString('en-US');
  return x.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3);
}

/** Lowest and highest of the rounds. */
export function spread({ low, high }) {
  return `${figure(low)}–${figure(high)}`;
}

/** A system's name as people read it: `isolated-vm/process/10` runs up to ten programs in a process. */
export function systemName(system) {
  const [engine, placement, runs] = system.split('/');
  if (placement === undefined) return engine;
  return runs === undefined ? `${engine}, ${placement}` : `${engine}, ${placement}, ${runs} runs each`;
}

/** A Markdown table, its columns aligned in the text too; those after the first `texts` hold figures. */
export function markdownTable(head, rows, texts = 1) {
  const widths = head.map((title, column) =>
    Math.max(3, ...[title, ...rows.map((row) => row[column])].map((x) => x.length)),
  );
  const line = (row) =>
    `| ${row.map((cell, column) => (column < texts ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}
