import { describe, expect, it } from 'vitest';
import { runCodeSchema } from '#dist/sdk-gen/index.js';

describe('runCodeSchema', () => {
  it('C2, C3: the schema for typescript, verbatim', () => {
    expect(runCodeSchema({ language: 'typescript' })).toMatchInlineSnapshot(`
      {
        "description": "Runs a TypeScript program that calls tools as \`await tools.name(args)\`. Both \`code\` and \`description\` are required. Prefer one program that does several calls and returns a short answer over many programs with one call each.",
        "name": "run_code",
        "parameters": {
          "properties": {
            "code": {
              "description": "The program: the body of an async TypeScript function. \`await\` and \`return\` work at the top; what is returned or written to \`console\` comes back.",
              "type": "string",
            },
            "description": {
              "description": "What the program does, in a few words that a user reads, e.g. "Count open issues".",
              "type": "string",
            },
          },
          "required": [
            "code",
            "description",
          ],
          "type": "object",
        },
      }
    `);
  });

  it('C2: timeoutMs is listed only when the runtime takes a deadline per run', () => {
    const plain = runCodeSchema({ language: 'typescript' });
    expect(Object.keys(plain.parameters.properties ?? {})).toEqual(['code', 'description']);
    const timed = runCodeSchema({ language: 'typescript', maxTimeoutMs: 30_000 });
    expect(timed.parameters.properties?.['timeoutMs']).toEqual({
      type: 'number',
      description: 'A deadline for this run in milliseconds, at most 30000.',
    });
    expect(timed.parameters.required).toEqual(['code', 'description']);
  });

  it('C4: the tool description names both required arguments', () => {
    expect(runCodeSchema({ language: 'typescript' }).description).toMatch(
      /`code` and `description` are required/,
    );
  });

  it('C5: what the runtime says about execution follows the description', () => {
    const plain = runCodeSchema({ language: 'typescript' }).description;
    const told = runCodeSchema({ language: 'typescript', executionInstructions: ' Use {{braces}}.\n' });
    expect(told.description).toBe(`${plain}\n\nUse {{braces}}.`);
    expect(runCodeSchema({ language: 'typescript', executionInstructions: ' ' }).description).toBe(plain);
  });

  it.each(['toString', '__proto__', 'constructor', 'python', '', 'TypeScript'])(
    'E95, C3: the language %j is unknown, and the error lists the known ones',
    (language) => {
      expect(() => runCodeSchema({ language })).toThrow(
        `Cannot describe run_code for language ${JSON.stringify(language)}: wanted one of "typescript"`,
      );
    },
  );
});
