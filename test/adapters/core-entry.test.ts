import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Every package that a module loads, itself or through its own files, at once or later. */
function packagesOf(entry: string): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from\s+|import\s*\(?\s*)["']([^"']+)["']/g,
    )) {
      if (name.startsWith('.')) visit(join(dirname(file), name));
      else packages.add(name);
    }
  };
  visit(entry);
  return packages;
}

const ofMcp = (entry: string): string[] =>
  [...packagesOf(entry)].filter((name) => name.startsWith('@modelcontextprotocol/'));

describe('what the entries load', () => {
  it('the core entry loads no MCP package', () => {
    expect(ofMcp('dist/index.js')).toEqual([]);
  });

  it('the client entry loads no server, the server entry no client', () => {
    expect(ofMcp('dist/adapters/mcp-client/index.js').sort()).toEqual([
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/client/stdio',
    ]);
    expect(ofMcp('dist/adapters/mcp-server/index.js').sort()).toEqual([
      '@modelcontextprotocol/node',
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/server/stdio',
    ]);
  });
});
