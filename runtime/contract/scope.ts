import type { JsonValue } from '../core/json-value.js';
import type { ToolDefinition } from './definition.js';
import type { ToolCallKind } from './views.js';

/**
 * Any object identity that registrations, restrictions, guards, listeners and executors can be filed under.
 *
 * A scope inherits from its `parent` chain and from the global layer. An agent is one; so is a preset.
 */
export type ScopeKey = object & { readonly parent?: ScopeKey | undefined };

/** An append-only log of one agent's durable events. */
export interface AgentSession {
  readonly id: string;
  /** Appends one event and returns its sequence number; a throw means that nothing was recorded. */
  append(type: string, payload: JsonValue): { seq: number };
  /** Settles when everything appended so far is safe. */
  flush?(): Promise<void>;
  /** Reads back the payloads of one event type, oldest first. */
  events?(type: string): Iterable<unknown>;
}

/** The least that the library needs of an agent; hosts may pass richer objects. */
export interface Agent extends ScopeKey {
  readonly id: string;
  readonly parent?: Agent | undefined;
  readonly session?: AgentSession | undefined;
}

/**
 * Names to keep (`allow`) and names to hide (`deny`) of everything that a scope inherits.
 *
 * At least one of the two must say something: `{}` and `{ deny: [] }` throw, `{ allow: [] }` hides every inherited tool.
 */
export interface ToolRestriction {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** Which model a step is proposed for. */
export interface ModelSelection {
  readonly provider: string;
  readonly model: string;
  readonly reasoningEffort?: string;
}

/** What a registration's `when` condition is told. */
export interface ToolActivationContext {
  readonly agent?: Agent | undefined;
  readonly modelSelection: Readonly<ModelSelection>;
  readonly signal: AbortSignal;
}

/** What a host says about a tool beside its definition. */
export interface ToolRegistrationOptions {
  /** Admits the tool for one step; evaluated once by each `resolve`. Omitted = always. */
  readonly when?: (context: ToolActivationContext) => boolean | Promise<boolean>;
  /** At most so many bodies of this tool run at once within one run or batch; a positive integer. */
  readonly maxParallel?: number;
  /** Where the tool comes from, e.g. the name of an MCP server. */
  readonly source?: string;
  /** The tool's own name at its source, when the registered name was changed. */
  readonly sourceName?: string;
  readonly kind?: ToolCallKind;
  /** Declared effects; policies read them, the pipeline does not. */
  readonly readOnly?: boolean;
  readonly idempotent?: boolean;
  readonly destructive?: boolean;
}

/** The tools admitted for one step of one agent. The caller disposes it when the step's batch has settled. */
export interface ResolvedToolSet {
  /** Closes admission: calls that have not started fail as unknown. Twice is harmless. */
  dispose(): void;
  /** The admitted original definitions still visible in the scope the set was resolved for; empty for any other scope. */
  view(scope: ScopeKey | undefined): ReadonlyMap<string, ToolDefinition>;
}
