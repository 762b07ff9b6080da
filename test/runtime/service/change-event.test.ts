import { describe, expect, it } from 'vitest';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { makeExecutor } from '../../support/make-executor.ts';
import { makeTool } from '../../support/make-tool.ts';

const agentKey = { id: 'agent-1' };
const otherKey = { id: 'other' };

function counted() {
  const warnings: [string, unknown][] = [];
  const tools = createTools({ onWarning: (message, cause) => void warnings.push([message, cause]) });
  let changes = 0;
  tools.on('tools/change', () => {
    changes += 1;
  });
  /** How many changes a step announces. */
  const during = <T>(step: () => T) => {
    const before = changes;
    step();
    return changes - before;
  };
  return { tools, during, warnings };
}

describe('tools/change', () => {
  it('R17: it comes at once after a tool or a restriction comes or goes, and not for a disposer that has nothing to do', () => {
    const { tools, during } = counted();
    const agent = tools.scoped(agentKey);
    let seen: readonly string[] = [];
    tools.on('tools/change', () => {
      seen = tools.definitions().map(({ name }) => name);
    });
    let dispose = () => {};
    expect(
      during(() => {
        dispose = tools.register(makeTool('a'));
      }),
    ).toBe(1);
    expect(seen).toEqual(['a']);
    let lift = () => {};
    expect(
      during(() => {
        lift = agent.restrict({ deny: ['a'] });
      }),
    ).toBe(1);
    expect(during(lift)).toBe(1);
    expect(during(lift)).toBe(0);
    expect(during(dispose)).toBe(1);
    expect(seen).toEqual([]);
    expect(during(dispose)).toBe(0);
  });

  it('R17, E123: it is not filtered, so every listener of every scope sees every change', () => {
    const tools = createTools();
    const told: string[] = [];
    const first = tools.scoped(agentKey);
    const second = tools.scoped(otherKey);
    tools.on('tools/change', () => void told.push('global'));
    first.on('tools/change', () => void told.push('first'));
    second.on('tools/change', () => void told.push('second'));
    first.register(makeTool('a'));
    expect(told).toEqual(['global', 'first', 'second']);
  });

  it('R18, R20: guards, executors, approvers and listeners announce nothing', () => {
    const { tools, during } = counted();
    const steps = [
      () => tools.guard(() => undefined),
      () => tools.setExecutor(makeExecutor('x').executor),
      () => tools.setApproval({ request: () => 'rejected' }),
      () => tools.on('tools/result', () => {}),
    ];
    for (const add of steps) {
      let dispose = () => {};
      expect(
        during(() => {
          dispose = add();
        }),
      ).toBe(0);
      expect(during(dispose)).toBe(0);
    }
  });

  it('R19, E6: a listener that throws undoes the registration, and the name can be registered once again', () => {
    const tools = createTools();
    const boom = new Error('listener is broken');
    let isBroken = true;
    tools.on('tools/change', () => {
      if (isBroken) throw boom;
    });
    for (const service of [tools, tools.scoped(agentKey)]) {
      isBroken = true;
      expect(() => service.register(makeTool('a'))).toThrow(boom);
      expect(tools.get('a')).toBeUndefined();
      isBroken = false;
      const definition = makeTool('a');
      const dispose = service.register(definition);
      expect(() => service.register(makeTool('a'))).toThrow(/already has one/);
      dispose();
    }
    expect(tools.definitions()).toEqual([]);
  });

  it('R19: a listener that throws undoes a restriction too', () => {
    const tools = createTools();
    const scope = { id: 'agent-1' };
    tools.register(makeTool('a'));
    const stop = tools.on('tools/change', () => {
      throw new Error('listener is broken');
    });
    expect(() => tools.scoped(scope).restrict({ deny: ['a'] })).toThrow('listener is broken');
    expect(tools.get('a', scope)?.name).toBe('a');
    stop();
    tools.scoped(scope).restrict({ deny: ['a'] });
    expect(tools.get('a', scope)).toBeUndefined();
  });

  it('R19: listeners that had been told before the failure are told that it was taken back, later ones hear nothing', () => {
    const tools = createTools();
    const seen: string[] = [];
    const watch = (label: string) => () => void seen.push(`${label}:${tools.definitions().length}`);
    tools.on('tools/change', watch('before'));
    tools.on('tools/change', () => {
      throw new Error('listener is broken');
    });
    tools.on('tools/change', watch('after'));
    expect(() => tools.register(makeTool('a'))).toThrow('listener is broken');
    expect(seen).toEqual(['before:1', 'before:0']);
  });

  it('R19: a removal stands, whatever a listener throws: the error is reported and the others are told', () => {
    const { tools, during, warnings } = counted();
    const dispose = tools.register(makeTool('a'));
    const boom = new Error('listener is broken');
    tools.on(
      'tools/change',
      () => {
        throw boom;
      },
      { prepend: true },
    );
    expect(during(dispose)).toBe(1);
    expect(tools.get('a')).toBeUndefined();
    expect(warnings).toEqual([[expect.stringContaining('listener is broken'), boom]]);
  });

  it('R17: the promise of an asynchronous listener is not awaited and its rejection is reported', async () => {
    const boom = new Error('late');
    let reported = (_cause: unknown) => {};
    const report = new Promise((resolve) => {
      reported = resolve;
    });
    const tools = createTools({ onWarning: (_, cause) => reported(cause) });
    tools.on('tools/change', (async () => {
      throw boom;
    }) as () => void);
    tools.register(makeTool('a'));
    expect(tools.get('a')?.name).toBe('a');
    expect(await report).toBe(boom);
  });

  it('R17: a listener may register while it is told', () => {
    const { tools, during } = counted();
    tools.on('tools/change', () => {
      if (tools.get('b') === undefined) tools.register(makeTool('b'));
    });
    expect(during(() => tools.register(makeTool('a')))).toBe(2);
    expect(tools.definitions().map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
