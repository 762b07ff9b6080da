import type { ToolDispatchExecution, ToolExecution } from '../contract/execution.js';
import { received } from '../core/option-error.js';

/**
 * The view of a call that its wrappers share: everything is read-only but `signal`.
 *
 * Assigning anything but an AbortSignal throws in the wrapper that does it, and deleting the signal is refused, so the
 * body always has one. The execution itself keeps the caller's signal.
 */
export class DispatchView implements ToolDispatchExecution {
  readonly callId: ToolDispatchExecution['callId'];
  readonly rootCallId: ToolDispatchExecution['rootCallId'];
  readonly name: ToolDispatchExecution['name'];
  readonly schema: ToolDispatchExecution['schema'];
  readonly arguments: ToolDispatchExecution['arguments'];
  readonly agent: ToolDispatchExecution['agent'];
  readonly toolSet: ToolDispatchExecution['toolSet'];
  readonly dispatch: ToolDispatchExecution['dispatch'];
  readonly parent: ToolDispatchExecution['parent'];
  readonly position: ToolDispatchExecution['position'];
  readonly token: ToolDispatchExecution['token'];
  declare signal: AbortSignal;
  #signal: AbortSignal;

  // An own property, so that it is spread and cannot be deleted; shared, because an accessor per view costs a microsecond.
  static readonly #ACCESSOR: PropertyDescriptor & ThisType<DispatchView> = {
    enumerable: true,
    configurable: false,
    get() {
      return this.#signal;
    },
    set(replacement: unknown) {
      if (!isAbortSignal(replacement)) {
        throw new TypeError(
          `Cannot replace the signal of "${this.name}": wanted an AbortSignal, received ${received(replacement)}`,
        );
      }
      this.#signal = replacement;
    },
  };

  constructor(execution: ToolExecution) {
    this.callId = execution.callId;
    this.rootCallId = execution.rootCallId;
    this.name = execution.name;
    this.schema = execution.schema;
    this.arguments = execution.arguments;
    this.agent = execution.agent;
    this.toolSet = execution.toolSet;
    this.dispatch = execution.dispatch;
    this.parent = execution.parent;
    this.position = execution.position;
    this.token = execution.token;
    this.#signal = execution.signal;
    Object.defineProperty(this, 'signal', DispatchView.#ACCESSOR);
    Object.freeze(this);
  }
}

const readAborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')?.get;

/** Asks the platform's own getter, which an object that only looks like a signal does not survive. */
function isAbortSignal(value: unknown): value is AbortSignal {
  if (readAborted === undefined) return value instanceof AbortSignal;
  try {
    Reflect.apply(readAborted, value, []);
    return true;
  } catch {
    return false;
  }
}
