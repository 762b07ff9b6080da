#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { PRESET_NAMES } from '../policies/index.js';
import { EXIT } from './exit.js';
import { portNumber, positiveNumber } from './numbers.js';
import { type RunOptions, runCommand } from './run-command.js';
import { type SdkCommandOptions, sdkCommand } from './sdk-command.js';
import { type ServeOptions, serveCommand } from './serve-command.js';
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

function engineOption(description: string): Option {
  return new Option('--engine <engine>', description)
    .choices(['auto', 'isolated-vm', 'quickjs'])
    .default('auto');
}

function withSandbox(command: Command): Command {
  return command
    .addOption(engineOption('sandbox engine'))
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
    );
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
  withSandbox(withSources(program.command('run')))
    .description(
      'Run a TypeScript program; exit 0 when it succeeded, 1 when it failed, 2 for wrong usage, 130 on interrupt.',
    )
    .argument('[file]', 'the program; - is standard input', '-')
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
    .addOption(engineOption('sandbox engine whose language level is named'))
    .action(async (options: SdkCommandOptions) => finish(await sdkCommand(options)));
  withSandbox(withSources(program.command('serve')))
    .description('Serve the tools of all sources as one MCP server, over standard streams or HTTP.')
    .addOption(
      new Option(
        '--http <port>',
        'listen on this port (0 = any free one) instead of standard streams',
      ).argParser(portNumber),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option('--allow-host <name>', 'host name that clients may use, beside this machine (repeatable)')
        .argParser(collect)
        .default([], 'none'),
    )
    .addOption(
      new Option('--allow-origin <name>', 'host name of web pages that may call (repeatable)')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--bearer-env <variable>', 'environment variable with the token that every request must carry')
    .addOption(
      new Option('--mode <mode>', 'what clients see: run_code, the tools themselves, or both')
        .choices(['ptc', 'native', 'both'])
        .default('ptc'),
    )
    .addOption(
      new Option(
        '--sdk-tokens <tokens>',
        'the most that the declarations of tools may take; the rest is found by search',
      )
        .argParser(positiveNumber('tokens'))
        .default(30_000),
    )
    .option(
      '--policy <file>',
      'JSON file of rules about calls; a call that needs a yes is asked about at the client',
    )
    .addOption(
      new Option('--preset <name>', 'rules by kind of tool, behind those of the file').choices(PRESET_NAMES),
    )
    .action(async (options: ServeOptions) => finish(await serveCommand(options, version)));
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
