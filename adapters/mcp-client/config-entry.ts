import { McpConfigError } from './config-error.js';
import type { McpHints, McpToolFilter } from './server-config.js';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const MAX_TIMER_MS = 2_147_483_647;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_IN_A_HEADER = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** One server's entry of a configuration: reads its fields, refuses what does not have the wanted form. */
export class ConfigEntry {
  /** The values that were put in the place of `${NAME}`. */
  readonly expanded: string[] = [];
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #name: string;
  readonly #origin: string;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  /** @throws {McpConfigError} when the entry is no object */
  constructor(
    name: string,
    value: unknown,
    origin: string,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#name = name;
    this.#origin = origin;
    this.#environment = environment;
    this.#fields = isRecord(value) ? value : this.refuse('', 'an object', value);
  }

  /** @throws {McpConfigError} always */
  refuse(field: string, wanted: string, received: unknown): never {
    const path = field === '' ? `mcpServers.${this.#name}` : `mcpServers.${this.#name}.${field}`;
    throw new McpConfigError(
      `Cannot use "${path}" of MCP configuration "${this.#origin}": wanted ${wanted}, received ${kindOf(received)}`,
    );
  }

  raw(field: string): unknown {
    return Object.hasOwn(this.#fields, field) ? this.#fields[field] : undefined;
  }

  onlyFields(known: readonly string[]): void {
    for (const field of Object.keys(this.#fields)) {
      if (!known.includes(field)) this.refuse(field, `one of ${known.join(', ')}`, field);
    }
  }

  text(field: string): string | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    return typeof value === 'string' ? this.#expand(value, field) : this.refuse(field, 'a string', value);
  }

  requiredText(field: string): string {
    const value = this.raw(field);
    if (typeof value !== 'string' || value === '') return this.refuse(field, 'a non-empty string', value);
    return this.#expand(value, field);
  }

  texts(field: string): string[] {
    return this.#strings(field, this.raw(field) ?? []).map((text, index) =>
      this.#expand(text, `${field}[${index}]`),
    );
  }

  textsByName(field: string): Record<string, string> {
    const value = this.raw(field) ?? {};
    if (!isRecord(value) || Object.values(value).some((text) => typeof text !== 'string')) {
      return this.refuse(field, 'an object of strings', value);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, text]) => [key, this.#expand(text as string, `${field}.${key}`)]),
    );
  }

  headers(field: string): Record<string, string> {
    const headers = this.textsByName(field);
    for (const [name, value] of Object.entries(headers)) {
      if (!HEADER_NAME.test(name)) this.refuse(`${field}.${name}`, 'a header name', name);
      // The value may be a secret, so it is not shown.
      if (NOT_IN_A_HEADER.test(value)) {
        this.refuse(`${field}.${name}`, 'a header value on one line', undefined);
      }
    }
    return headers;
  }

  httpUrl(field: string): string {
    const text = this.requiredText(field);
    const isHttp = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
    return isHttp
      ? text
      : this.refuse(field, 'an address that starts with http:// or https://', this.raw(field));
  }

  flag(field: string): boolean | undefined {
    const value = this.raw(field);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.refuse(field, 'true or false', value);
  }

  timerMs(field: string): number | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && value > 0 && value <= MAX_TIMER_MS) return value;
    return this.refuse(field, `a number of milliseconds from 1 to ${MAX_TIMER_MS}`, value);
  }

  positiveInteger(field: string): number | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
    return this.refuse(field, 'a positive whole number', value);
  }

  oneOf(field: string, choices: readonly string[]): string | undefined {
    const value = this.raw(field);
    if (value === undefined || choices.includes(value as string)) return value as string | undefined;
    return this.refuse(field, choices.map((choice) => `"${choice}"`).join(' or '), value);
  }

  toolFilter(field: string): McpToolFilter | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (!isRecord(value)) return this.refuse(field, 'an object with "allow", "deny" or both', value);
    for (const key of Object.keys(value)) {
      if (key !== 'allow' && key !== 'deny') this.refuse(`${field}.${key}`, '"allow" or "deny"', key);
    }
    const { allow, deny } = value;
    return {
      ...(allow === undefined ? {} : { allow: this.#strings(`${field}.allow`, allow) }),
      ...(deny === undefined ? {} : { deny: this.#strings(`${field}.deny`, deny) }),
    };
  }

  hints(field: string, value: unknown = this.raw(field)): McpHints | undefined {
    if (value === undefined) return undefined;
    const wanted = `an object of booleans with the names ${HINTS.join(', ')}`;
    if (!isRecord(value)) return this.refuse(field, wanted, value);
    for (const [key, hint] of Object.entries(value)) {
      if (!(HINTS as readonly string[]).includes(key)) this.refuse(`${field}.${key}`, wanted, key);
      if (typeof hint !== 'boolean') this.refuse(`${field}.${key}`, 'true or false', hint);
    }
    return value;
  }

  hintsByTool(field: string): Record<string, McpHints> | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (!isRecord(value)) return this.refuse(field, 'an object of hints by tool name', value);
    return Object.fromEntries(
      Object.entries(value).map(([tool, hints]) => [
        tool,
        this.hints(`${field}.${tool}`, hints ?? null) ?? {},
      ]),
    );
  }

  #strings(field: string, value: unknown): string[] {
    if (!Array.isArray(value) || value.some((text) => typeof text !== 'string')) {
      return this.refuse(field, 'an array of strings', value);
    }
    return value as string[];
  }

  #expand(text: string, field: string): string {
    return text.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
      const value = Object.hasOwn(this.#environment, variable) ? this.#environment[variable] : undefined;
      if (value === undefined) {
        return this.refuse(field, `the environment variable ${variable} to be set`, undefined);
      }
      this.expanded.push(value);
      return value;
    });
  }
}

/**
 * Whether a value is an object with members.
 *
 * @example
 * isRecord([]) // false
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Says what was received, for a message.
 *
 * @example
 * kindOf(3) // 'number 3'
 */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `${typeof value} ${JSON.stringify(value)}`;
}
