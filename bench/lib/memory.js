import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of this process and all its children, in MB (Linux). */
export function residentTreeMb() {
  const children = new Map();
  const resident = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const parent = /PPid:\s+(\d+)/.exec(status)?.[1];
      resident.set(pid, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
      children.set(parent, [...(children.get(parent) ?? []), pid]);
    } catch {
      // It ended while we looked.
    }
  }
  const open = [String(process.pid)];
  let sum = 0;
  while (open.length > 0) {
    const pid = open.pop();
    sum += resident.get(pid) ?? 0;
    open.push(...(children.get(pid) ?? []));
  }
  return sum / 1024;
}
