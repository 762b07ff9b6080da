import fc from 'fast-check';
import { joinToolName, serverPrefixes, splitToolName } from 'ptc-runtime/adapters/mcp-client';
import { describe, expect, it } from 'vitest';

describe('names of MCP tools', () => {
  it('X5: a joined name splits into the same server and tool, whatever both are called', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.string(), (servers, tool) => {
        for (const prefix of serverPrefixes(servers)) {
          expect(splitToolName(joinToolName(prefix, tool))).toEqual({ prefix, tool });
        }
      }),
    );
  });

  it('X5: no two servers share a prefix, and every prefix is an identifier without a separator', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (servers) => {
        const prefixes = serverPrefixes(servers);
        expect(new Set(prefixes).size).toBe(servers.length);
        for (const prefix of prefixes) expect(prefix).toMatch(/^[A-Za-z](?:_?[A-Za-z0-9])*$/);
      }),
    );
  });

  it('X5: pairs that an underscore would confuse stay distinct', () => {
    const [foo, fooBar] = serverPrefixes(['foo', 'foo_bar']) as [string, string];
    expect(joinToolName(foo, 'bar_baz')).toBe('foo__bar_baz');
    expect(joinToolName(fooBar, 'baz')).toBe('foo_bar__baz');
  });

  it('X5: cleaned names that collide get numbers in configuration order', () => {
    expect(serverPrefixes(['my-files', 'my.files', '9p', '日本'])).toEqual([
      'my_files',
      'my_files_2',
      's_9p',
      's',
    ]);
  });

  it('X5: a name without a separator belongs to no server', () => {
    expect(splitToolName('plain')).toBeUndefined();
    expect(splitToolName('__plain')).toBeUndefined();
  });
});
