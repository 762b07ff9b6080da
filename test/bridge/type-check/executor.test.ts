import { afterAll, describe, expect, it } from 'vitest';
import { createTypeChecker } from '#dist/bridge/index.js';
import { makeTool } from '../../support/make-tool.ts';
import { ptcHost } from '../ptc-host.ts';

/** The program is its own name here: a stand-in runtime prepares it and plays what the test says. */
const WRONG = 'return await tools.raed({});';

describe('a type check in the executor of programs', () => {
  const enforcing = createTypeChecker({ deadlineMs: 20_000 });
  const warning = createTypeChecker({ deadlineMs: 20_000, mode: 'warn' });
  afterAll(async () => {
    await enforcing.dispose();
    await warning.dispose();
  });

  it('C70: a program with an error is refused before its first statement, and runs when it is sent again', async () => {
    let played = 0;
    const host = ptcHost({
      plays: {
        [WRONG]: () => {
          played += 1;
          return 'ran';
        },
      },
      check: enforcing.check,
    });
    host.tools.register(makeTool('read'));
    const refused = await host.run(WRONG);
    expect(refused.error?.message).toContain('code run failed (type-check): A type error; nothing was run.');
    expect(refused.error?.message).toContain("There is no tool 'raed': did you mean 'read'?");
    expect(refused.error?.message).toContain('send the same text again: it then runs unchecked');
    expect(played).toBe(0);
    expect((await host.run(WRONG)).value).toEqual({ logs: [], result: 'ran' });
  });

  it('C70: in the mode warn the model reads what was found beside the result, or beside the failure', async () => {
    let fails = false;
    const host = ptcHost({
      plays: {
        [WRONG]: () => {
          if (fails) throw new Error('broken');
          return 'ran';
        },
      },
      check: warning.check,
    });
    host.tools.register(makeTool('read'));
    const ran = await host.run(WRONG);
    expect(ran.content).toEqual([
      {
        type: 'text',
        text: "ran\nThe type check found:\nline 1, column 20: There is no tool 'raed': did you mean 'read'?",
      },
    ]);
    fails = true;
    expect((await host.run(WRONG)).error?.message).toContain(
      "The type check found:\nline 1, column 20: There is no tool 'raed'",
    );
  });
});
