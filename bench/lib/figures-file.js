import { writeFileSync } from 'node:fs';

/** Writes a table's figures for the suite that started it; does nothing when it was started by hand. */
export function writeFigures(figures) {
  const file = process.env.BENCH_FIGURES;
  if (file !== undefined) writeFileSync(file, JSON.stringify(figures));
}
