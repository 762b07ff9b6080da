import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const FOLDER = 'examples/policies';

/** What each example prints, without the parts that differ from run to run. */
const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  approvals: ['Error: The call of "deploy" was rejected by the approver: it goes live with everybody'],
  audit: ['drop_table rules dropping deny'],
  cache: ['"read 1"', '"read 1"', '"write"', '"read 2"'],
  'call-budget': [
    '"search"',
    'Error: The call of "search" costs 20, more than this run has left; left: 10 of a cost of 10, 1 of 2 calls a minute',
    '"search"',
    'Error: The limit of 2 calls a minute is reached, the next may start in 60 s; left: 10 of a cost of 10, 0 of 2 calls a minute',
  ],
  checkpoint: ['flushed', '"write"', 'tool/result TOOL_OUTCOME_UNKNOWN'],
  'dry-run': ['"list"', '{"dryRun":true}', '[dry run] remove({"path":"a"})'],
  grants: ['"write"', '"write"', '"write_2"'],
  presets: ['"look"', '"format"', 'Error: No rule allows the call of "remove"'],
  provenance: ['"send_mail" is sensitive, and this run has read untrusted text from "fetch_page" (web)'],
  redact: ['{"user":"ann","password":"[redacted]","note":"key [redacted]"}', 'correct horse'],
  'repeat-reminder': ['0 1', '0'],
  retry: ['"page, after 3 attempts"'],
  rules: ['"read_file"', 'Error: Rule "secrets" denies the call of "read_file"'],
  spill: ['true true', 'true'],
  timeout: ['TOOL_TIMEOUT'],
};

describe('examples of policies', () => {
  it('there is one for each policy, and each is short', () => {
    const files = readdirSync(FOLDER).filter((file) => file !== 'support.js');
    expect(files.sort()).toEqual(
      Object.keys(OUTPUTS)
        .map((name) => `${name}.js`)
        .sort(),
    );
    for (const file of files) {
      const lines = readFileSync(`${FOLDER}/${file}`, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '');
      expect([file, lines.length <= 24]).toEqual([file, true]);
    }
  });

  it.each(Object.entries(OUTPUTS))('%s prints what it says', async (name, lines) => {
    const { stdout } = await run(process.execPath, [`${FOLDER}/${name}.js`]);
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
  });
});
