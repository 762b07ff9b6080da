import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const blocks = [...readFileSync('README.md', 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, language, code]) => ({
    language,
    code: code as string,
  }),
);

describe('the README', () => {
  it('has only blocks that a test runs', () => {
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh', 'js', 'json']));
  });

  it('its host example prints what it says', async () => {
    // The example imports the package by its name, which resolves from inside the repository only.
    const folder = mkdtempSync(join('dist', 'readme-'));
    try {
      const code = blocks.find(({ language }) => language === 'js')?.code as string;
      writeFileSync(join(folder, 'example.mjs'), code);
      const { stdout } = await run(process.execPath, [join(folder, 'example.mjs')]);
      expect(stdout).toBe('run_code true\n110\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('its lines for MCP clients start a server that offers run_code', async () => {
    const { mcpServers } = JSON.parse(blocks.find(({ language }) => language === 'json')?.code ?? '') as {
      mcpServers: { ptc: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.ptc;
    expect([command, args[0]]).toEqual(['npx', 'ptc']);
    const client = new Client({ name: 'readme', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['dist/cli/main.js', ...args.slice(1)],
        stderr: 'ignore',
      }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['run_code']);
    await client.close();
  });

  it('its loops beside a model API come to the answer, with a scripted model for the network', async () => {
    const loops = blocks.filter(({ language, code }) => language === 'js' && code.includes('runAgentTurn'));
    expect(loops).toHaveLength(3);
    const folder = mkdtempSync(join('dist', 'readme-'));
    try {
      const network = `import { scriptedFetch } from '../../examples/scripted-model.js';\nglobalThis.fetch = scriptedFetch;`;
      writeFileSync(join(folder, 'network.mjs'), network);
      const env = {
        ...process.env,
        OPENAI_API_KEY: 'none',
        ANTHROPIC_API_KEY: 'none',
        AI_GATEWAY_API_KEY: 'none',
      };
      for (const [index, { code }] of loops.entries()) {
        const file = join(folder, `loop-${index}.mjs`);
        const above = `import { runtime, tools } from '../../examples/price-tools.js';`;
        writeFileSync(file, `${above}\n${code}\nawait runtime.dispose();\n`);
        const { stdout } = await run(
          process.execPath,
          ['--import', `./${join(folder, 'network.mjs')}`, file],
          { env },
        );
        expect(stdout).toBe('Together they cost 110.\n');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('its commands run', async () => {
    const commands = blocks
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.split('\n'))
      .filter((line) => line !== '' && !line.startsWith('npm '));
    expect(commands).toHaveLength(3);
    const outputs = [];
    for (const command of commands) {
      const { stdout } = await run('sh', [
        '-c',
        command.replace(/\bnpx ptc\b/g, 'node dist/cli/main.js').replace(/#.*$/, ''),
      ]);
      outputs.push(stdout);
    }
    expect(outputs[0]).toBe('[2,4,6]\n'.replace(/,/g, ',\n  ').replace('[', '[\n  ').replace(']', '\n]'));
    expect(outputs[1]).toMatch(/^total +\d+ +\d+ +\d+$/m);
    expect(outputs[2]).toContain('declare const tools');
  });
});
