import type { ToolDefinition } from '../runtime/contract/definition.js';
import type { ToolExecutionToken, ToolRunContext } from '../runtime/contract/execution.js';
import type { ToolExecutorHost } from '../runtime/contract/executor.js';
import type { ToolExecutionResult } from '../runtime/contract/result.js';
import { clampTimeout, MAX_TIMER_DELAY_MS } from '../runtime/core/deadline.js';
import { CodeRunFailedError } from '../runtime/core/errors.js';
import type { JsonValue } from '../runtime/core/json-value.js';
import { notifyObservers } from '../runtime/core/observers.js';
import { TRANSPORT_NAME } from '../runtime/core/transport-name.js';
import { defineTool } from '../runtime/tools/define-tool.js';
import { renderRun } from './present/render-run.js';
import { ProgramRun } from './program-run.js';
import type { ResolvedPtcOptions } from './ptc-options.js';
import type { SubCall } from './sub-call.js';

/**
 * Makes the definition that answers to the transport's name for the calls of one host.
 *
 * Its canonical value is `{ logs, result? }`; the text that a model reads also tells of the program's calls, so it is
 * made when the program has run and handed to the pipeline as the content of that very call.
 */
export function runCodeDefinition(options: ResolvedPtcOptions, host: ToolExecutorHost): ToolDefinition {
  const { runtime, maxParallelSubCalls, drainMs, maxContentBytes, check, onRun } = options;
  const texts = new WeakMap<ToolExecutionToken, string>();
  const limits = { maxContentBytes };

  const lateOutcomeOf = (exec: ToolRunContext) => (call: SubCall, result: ToolExecutionResult) => {
    const { id, name } = call;
    if (options.onLateOutcome === undefined) {
      const state = result.isError ? `failed: ${result.error.message}` : 'succeeded';
      host.warn(`Sub-call "${id}" of "${name}" settled after its run had returned: it ${state}`);
    } else {
      notifyObservers([options.onLateOutcome], [{ exec, subCallId: id, name, result }], host.warn);
    }
  };

  return defineTool({
    name: TRANSPORT_NAME,
    description: 'Runs a program that calls tools.',
    parameters: {
      code: { type: 'string', required: true },
      description: { type: 'string', required: true },
      timeoutMs: { type: 'number' },
    },
    output: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          logs: { type: 'array', items: { type: 'string' }, required: true },
          result: { type: 'json' },
        },
      },
      render: (_, { logs, result }) => [
        {
          type: 'text',
          text: renderRun({ logs, ...(result !== undefined && { value: result }) }, [], limits).text,
        },
      ],
    },
    async execute({ code, description, timeoutMs }, exec) {
      if (description.trim() === '') {
        throw new Error(
          'Invalid description: wanted a few words that say what the program does, received blanks',
        );
      }
      if (runtime === undefined) throw new Error('Cannot run code: no code runtime is mounted');
      if (timeoutMs !== undefined && runtime.maxTimeoutMs === undefined) {
        throw new Error('Cannot use "timeoutMs": the mounted runtime takes no deadline per run');
      }
      const deadlineMs =
        timeoutMs === undefined
          ? undefined
          : clampTimeout(timeoutMs, 0, runtime.maxTimeoutMs ?? MAX_TIMER_DELAY_MS);
      const run = new ProgramRun({
        runtime,
        host,
        exec,
        maxParallelSubCalls,
        drainMs,
        check,
        onLateOutcome: lateOutcomeOf(exec),
      });
      const { result, calls } = await run.execute(code, deadlineMs);
      if (onRun !== undefined) notifyObservers([onRun], [exec, result], host.warn);
      const { text } = renderRun(result, calls, limits);
      if (result.error !== undefined) throw new CodeRunFailedError(text);
      texts.set(exec.token, text);
      const { logs, value } = result;
      return value === undefined ? { logs: [...logs] } : { logs: [...logs], result: value as JsonValue };
    },
    projectContent({ token }, { isError }) {
      const text = isError ? undefined : texts.get(token);
      return text === undefined ? undefined : [{ type: 'text', text }];
    },
    presentCall: ({ code, description }) => ({
      card: 'generic',
      title: description,
      kind: 'execute',
      rawInput: code,
    }),
  });
}
