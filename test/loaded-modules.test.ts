import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** A loader hook that reports every module that is resolved, whether it is an ES module or not. */
const hooks = `
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    process._rawDebug('module ' + resolved.url);
    return resolved;
  }
`;

async function modulesOf(program: string): Promise<string[]> {
  const register = `import { register } from 'node:module'; register(${JSON.stringify(
    `data:text/javascript,${encodeURIComponent(hooks)}`,
  )});`;
  const { stdout, stderr } = await run(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(register)}`,
    '--input-type=module',
    '-e',
    `${program}
     import { createRequire } from 'node:module';
     console.log(JSON.stringify(Object.keys(createRequire(process.cwd() + '/x.js').cache)));`,
  ]);
  const imported = [...stderr.matchAll(/^module (.*)$/gm)].map(([, url]) => url as string);
  return [...imported, ...(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '[]') as string[])];
}

const packagesIn = (modules: readonly string[]) =>
  [...new Set(modules.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))].sort();

describe('what loading a module loads', () => {
  it('the core entry loads no adapter, no MCP package, no parser and no validator before they are used', async () => {
    const modules = await modulesOf(`import 'ptc-runtime';`);
    expect(modules.filter((url) => url.includes('/dist/index.js'))).toHaveLength(1);
    expect(packagesIn(modules)).toEqual([]);
    expect(modules.filter((url) => /\/dist\/(adapters|cli)\//.test(url))).toEqual([]);
    expect(modules.filter((url) => /\/sandbox\/(inner|process)\b/.test(url))).toEqual([]);
  });

  it('the core entry loads one file of each room that it speaks for', async () => {
    const modules = await modulesOf(`import 'ptc-runtime';`);
    const own = modules.flatMap((url) => /\/dist\/(.*)/.exec(url)?.[1] ?? []);
    const rooms = ['core', 'executor', 'pipeline', 'sandbox', 'schema', 'service', 'tools'];
    expect([...new Set(own)].sort()).toEqual(
      [
        'index.js',
        ...['bridge', 'policies', 'sdk-gen'].map((room) => `${room}/room.js`),
        ...rooms.map((room) => `runtime/${room}/room.js`),
      ].sort(),
    );
  });

  it('the command loads no MCP package before it has a server to reach, or is one', async () => {
    const modules = await modulesOf(
      `process.argv.splice(1, 0, 'ptc', 'sdk'); await import('./dist/cli/main.js');`,
    );
    expect(modules.filter((url) => url.endsWith('/dist/cli/main.js'))).toHaveLength(1);
    expect(packagesIn(modules)).toEqual(['commander']);
  });

  it('what is loaded would be seen, be it a module or CommonJS', async () => {
    expect(packagesIn(await modulesOf(`import 'p-limit'; import 'ajv';`))).toEqual(
      expect.arrayContaining(['ajv', 'fast-deep-equal', 'p-limit', 'yocto-queue']),
    );
  });

  it.each(['agent-step', 'ai-sdk', 'anthropic', 'openai', 'openapi', 'standard-schema'])(
    'the adapter %s loads no package of the API that it is for',
    async (adapter) => {
      const modules = await modulesOf(`import 'ptc-runtime/adapters/${adapter}';`);
      expect(modules.filter((url) => url.includes(`/dist/adapters/${adapter}/`))).not.toEqual([]);
      expect(packagesIn(modules)).toEqual([]);
    },
  );
});
