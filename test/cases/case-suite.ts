import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type CaseHost, type CaseHostOptions, caseHost } from '../support/case-host.ts';
import { CONTENT_CAP_BYTES, expectations } from './expectations.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/cases');
const PROGRAM_KINDS = new Set([
  'escape',
  'limits',
  'types',
  'errors',
  'values',
  'names',
  'concurrency',
  'approval',
  'ux',
]);

interface CaseFile {
  readonly id: string;
  readonly slug: string;
  readonly kind: string;
  readonly program?: string;
  readonly expectedValue?: { readonly is: unknown };
  readonly expectedLine?: number;
}

function readCase(file: string): CaseFile {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const id = file.slice(0, 3);
  const slug = file.replace(/\.\w+$/, '').slice(4);
  const header = (name: string) => new RegExp(`^[ *]*${name}: (.*)$`, 'm').exec(text)?.[1];
  if (file.endsWith('.json')) {
    const json = JSON.parse(text) as Record<string, unknown>;
    const about = json['$case'] as { kind: string };
    return {
      id,
      slug,
      kind: about.kind,
      ...('program' in json ? { program: json['program'] as string } : {}),
      ...('programGenerator' in json ? { program: generated(json['programGenerator'] as Generator) } : {}),
      ...('expectedValue' in json ? { expectedValue: { is: json['expectedValue'] } } : {}),
      ...('expectedLine' in json ? { expectedLine: json['expectedLine'] as number } : {}),
    };
  }
  const wanted = header('expect-value');
  return {
    id,
    slug,
    kind: header('kind') ?? '',
    ...(file.endsWith('.ts') ? { program: text.replace(/^\/\*[\s\S]*?\*\/\n/, '') } : {}),
    ...(wanted === undefined ? {} : { expectedValue: { is: JSON.parse(wanted) as unknown } }),
  };
}

interface Generator {
  readonly prefix: string;
  readonly open: string;
  readonly depth: number;
  readonly inner: string;
  readonly close: string;
  readonly suffix: string;
}

const generated = ({ prefix, open, depth, inner, close, suffix }: Generator): string =>
  `${prefix}${open.repeat(depth)}${inner}${close.repeat(depth)}${suffix}`;

/** Runs every case that is a program, on one engine and placement, and the next program after it. */
export function caseSuite(
  where: Pick<CaseHostOptions, 'engine' | 'placement'>,
  isRun: (kind: string) => boolean = () => true,
): void {
  const cases = readdirSync(FOLDER)
    .map(readCase)
    .filter(
      ({ kind, program, id }) =>
        PROGRAM_KINDS.has(kind) && program !== undefined && !expectations[id]?.elsewhere && isRun(kind),
    );

  describe(`programs from bug reports, ${where.engine} ${where.placement ?? 'process'}`, () => {
    let host: CaseHost | undefined;
    afterEach(async () => {
      await host?.dispose();
      host = undefined;
    });

    it.each(cases)('case $id $kind: $slug', async ({ id, program, expectedValue, expectedLine }) => {
      const { options, check } = expectations[id] ?? {};
      host = caseHost({ ...where, ...options });
      const outcome = await host.run(program as string);
      if (check) await check(outcome, host);
      if (expectedLine !== undefined) expect(outcome.run.error?.position?.line).toBe(expectedLine);
      if (expectedValue !== undefined) {
        expect(outcome.run.error).toBeUndefined();
        expect(outcome.run.value).toEqual(expectedValue.is);
      }
      expect(check !== undefined || expectedValue !== undefined || expectedLine !== undefined).toBe(true);
      expect(Buffer.byteLength(outcome.text)).toBeLessThan(CONTENT_CAP_BYTES);
      expect((await host.run('return 1 + 1')).run.value).toBe(2);
    });
  });
}
