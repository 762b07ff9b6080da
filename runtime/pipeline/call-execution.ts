import type { ToolDispatchExecution, ToolExecution, ToolExecutionInput } from '../contract/execution.js';
import { newExecutionToken } from '../core/ids.js';
import { received } from '../core/option-error.js';

let complete: (execution: CallExecution, args: unknown) => void;
let lend: (execution: CallExecution, isLent: boolean) => void;

/**
 * The one object that stands for a call in every stage. Everything about it is read-only but, while its wrappers run, the
 * signal.
 *
 * Assigning anything but an AbortSignal throws in the wrapper that does it, and deleting the signal is refused.
 */
export class CallExecution implements ToolExecution {
  readonly callId: ToolExecution['callId'];
  readonly rootCallId: ToolExecution['rootCallId'];
  readonly name: string;
  readonly schema: ToolExecution['schema'];
  readonly arguments: unknown = undefined;
  readonly agent: ToolExecution['agent'];
  readonly toolSet: ToolExecution['toolSet'];
  readonly dispatch: ToolExecution['dispatch'];
  readonly parent: ToolExecution['parent'];
  readonly position: ToolExecution['position'];
  readonly token = newExecutionToken();
  declare readonly signal: AbortSignal;
  readonly #caller: AbortSignal;
  #signal: AbortSignal;
  #isLent = false;

  // An own property, so that it is spread and cannot be deleted; shared, because an accessor per call costs a microsecond.
  static readonly #SIGNAL: PropertyDescriptor & ThisType<CallExecution> = {
    enumerable: true,
    get() {
      return this.#signal;
    },
    set(replacement: unknown) {
      if (!this.#isLent) {
        throw new TypeError(
          `Cannot replace the signal of "${this.name}": wanted a running "tools/execute" listener`,
        );
      }
      if (!isAbortSignal(replacement)) {
        throw new TypeError(
          `Cannot replace the signal of "${this.name}": wanted an AbortSignal, received ${received(replacement)}`,
        );
      }
      this.#signal = replacement;
    },
  };

  // Not methods: whoever holds an execution must not be able to lend its signal.
  static {
    complete = (execution, args) => {
      (execution as { arguments: unknown }).arguments = args;
      Object.freeze(execution);
    };
    lend = (execution, isLent) => {
      execution.#isLent = isLent;
      execution.#signal = execution.#caller;
    };
  }

  /** Reads every field of the input but the arguments, once. */
  constructor({
    callId,
    rootCallId,
    name,
    schema,
    agent,
    toolSet,
    dispatch,
    parent,
    position,
    signal,
  }: ToolExecutionInput) {
    this.callId = callId;
    this.rootCallId = rootCallId ?? callId;
    this.name = name;
    this.schema = schema;
    this.agent = agent;
    this.toolSet = toolSet;
    this.dispatch = dispatch;
    this.parent = parent;
    this.position = position;
    this.#caller = signal;
    this.#signal = signal;
    Object.defineProperty(this, 'signal', CallExecution.#SIGNAL);
  }
}

/** Gives an execution that nobody has seen yet its arguments, and freezes it. */
export function completeExecution(execution: CallExecution, args: unknown): void {
  complete(execution, args);
}

/** Lets the wrappers of a call replace its signal from here on. */
export function lendSignal(execution: CallExecution): ToolDispatchExecution {
  lend(execution, true);
  return execution;
}

/** Gives the execution the caller's own signal back, whatever the wrappers left, and takes no other any more. */
export function restoreSignal(execution: CallExecution): void {
  lend(execution, false);
}

const readAborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')!.get!;

/** Asks the platform's own getter, which an object that only looks like a signal does not survive. */
function isAbortSignal(value: unknown): value is AbortSignal {
  try {
    Reflect.apply(readAborted, value, []);
    return true;
  } catch {
    return false;
  }
}
