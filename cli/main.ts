#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { positiveNumber } from './numbers.js';
import { EXIT, type RunOptions, runCommand } from './run-command.js';
import { sdkCommand } from './sdk-command.js';
import type { ToolSources } from './tool-sources.js';
import { UsageError } from './usage-error.js';

const collect = (value: string, earlier: string[]): string[] => [...earlier, value];

function withSources(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--tools <module>',
        'ES module whose default export is an array of tool definitions, or a function returning one (repeatable)',
      )
        .argParser(collect)
        .default([], 'none'),
    )
    .addOption(
      new Option('--mcp <config>', 'JSON file {"mcpServers": {...}} (repeatable)')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--allow-missing', 'go on when an MCP server cannot be started', false);
}

function commandLine(finish: (code: number) => void): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const program = new Command('ptc')
    .description('Runs programs that call tools, in a sandbox and through one policy pipeline.')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${text.trim().split('\n')[0] ?? ''}\n`) });
  withSources(program.command('run'))
    .description(
      'Run a TypeScript program; exit 0 when it succeeded, 1 when it failed, 2 for wrong usage, 130 on interrupt.',
    )
    .argument('[file]', 'the program; - is standard input', '-')
    .addOption(
      new Option('--engine <engine>', 'sandbox engine')
        .choices(['auto', 'isolated-vm', 'quickjs'])
        .default('auto'),
    )
    .addOption(
      new Option('--placement <placement>', 'where the sandbox lives')
        .choices(['process', 'in-process'])
        .default('process'),
    )
    .addOption(
      new Option('--compute-ms <ms>', 'budget of busy time, ms').argParser(positiveNumber('milliseconds')),
    )
    .addOption(
      new Option('--wall-ms <ms>', 'budget of elapsed time, ms').argParser(positiveNumber('milliseconds')),
    )
    .addOption(new Option('--memory-mb <mb>', 'guest heap, MiB').argParser(positiveNumber('MiB')))
    .addOption(
      new Option('--max-output-bytes <bytes>', 'logs and value together, bytes of JSON').argParser(
        positiveNumber('bytes'),
      ),
    )
    .addOption(
      new Option('--max-parallel <calls>', 'sub-calls that may overlap').argParser(positiveNumber('calls')),
    )
    .addOption(
      new Option('--check <mode>', 'check the types before the first statement runs')
        .choices(['off', 'warn', 'enforce'])
        .default('off'),
    )
    .option(
      '--policy <file>',
      'JSON file of rules about calls; a call that needs a yes is asked about at the terminal',
    )
    .option('--description <text>', 'short label of the run (default: the file name)')
    .option('--json', 'print one JSON object', false)
    .action(async (file: string, options: RunOptions) => finish(await runCommand(file, options)));
  withSources(program.command('sdk'))
    .description('Print the text that a model is given for these tools.')
    .action(async (options: ToolSources) => finish(await sdkCommand(options)));
  return program;
}

async function main(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  try {
    await commandLine((finished) => {
      code = finished;
    }).parseAsync([...argv]);
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof UsageError || error instanceof TypeError || error instanceof RangeError) {
      process.stderr.write(`ptc: ${error.message}\n`);
      return EXIT.usage;
    }
    throw error;
  }
}

process.exitCode = await main(process.argv);
