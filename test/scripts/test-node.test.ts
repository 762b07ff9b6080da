import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('the tests on another Node', () => {
  it.each([[[]], [['latest']], [['24; id']], [['../24']], [['-1']]])(
    '%j is refused in a line before anything is fetched',
    (args) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test-node.js', ...args], {
        encoding: 'utf8',
      });
      const received = JSON.stringify(args[0] ?? '');
      expect({ status, stdout, stderr }).toEqual({
        status: 2,
        stdout: '',
        stderr: `Cannot choose a Node: wanted its version, such as 24, received ${received}\n`,
      });
    },
  );
});
