import type { JsonValue } from '../../runtime/core/json-value.js';
import { parsedJson } from './parsed-json.js';
import type { SecretKinds } from './secret-kinds.js';

interface Open {
  readonly value: JsonValue;
  readonly isSecret: boolean;
}

/**
 * Finds the secrets in a value: what the patterns match in its strings and keys, and every leaf below a secret field. Strings
 * that are JSON text are looked into.
 *
 * @param found told of each as plain text
 */
export function collectSecrets(root: JsonValue, kinds: SecretKinds, found: (secret: string) => void): void {
  const rest: Open[] = [{ value: root, isSecret: false }];
  for (let open = rest.pop(); open !== undefined; open = rest.pop()) {
    const { value, isSecret } = open;
    if (typeof value === 'string') {
      if (isSecret) found(value);
      matches(value, kinds, found);
      const inner = parsedJson(value);
      if (inner !== undefined) rest.push({ value: inner, isSecret });
    } else if (typeof value !== 'object' || value === null) {
      if (isSecret && typeof value === 'number') found(String(value));
    } else if (Array.isArray(value)) {
      for (const item of value as readonly JsonValue[]) rest.push({ value: item, isSecret });
    } else {
      for (const [key, part] of Object.entries(value as { readonly [key: string]: JsonValue })) {
        matches(key, kinds, found);
        rest.push({ value: part, isSecret: isSecret || kinds.isSecretField(key) });
      }
    }
  }
}

function matches(text: string, { patterns }: SecretKinds, found: (secret: string) => void): void {
  for (const pattern of patterns) for (const [secret] of text.matchAll(pattern)) found(secret);
}
