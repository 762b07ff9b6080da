import { describe, expect, it } from 'vitest';
import { createTools } from '#dist/runtime/service/create-tools.js';
import { presentations } from '#dist/runtime/service/presentation.js';
import { makeExecutor } from '../../support/make-executor.ts';

const agent = { id: 'agent-1' };
const child = { id: 'child', parent: agent };

function setUp() {
  const tools = createTools();
  const made: string[] = [];
  const maker = (label: string) => () => {
    made.push(label);
    return makeExecutor(label).executor;
  };
  const present = presentations({ native: maker('native'), ptc: maker('ptc'), both: maker('both') });
  const shown = (scope?: typeof agent) => tools.describe(scope).schemas[0]?.name;
  return { tools, present, shown, made };
}

describe('presentations', () => {
  it('R63: an unscoped declaration sets the default, a scoped one wins for its scope and descendants', () => {
    const { tools, present, shown, made } = setUp();
    present(tools, 'native');
    present(tools.scoped(agent), 'ptc');
    expect([shown(), shown({ id: 'stranger' }), shown(agent), shown(child)]).toEqual([
      'native',
      'native',
      'ptc',
      'ptc',
    ]);
    present(tools.scoped(child), 'both');
    expect([shown(agent), shown(child)]).toEqual(['ptc', 'both']);
    expect(made).toEqual(['native', 'ptc', 'both']);
  });

  it('R63: a second declaration in the same scope throws until the first is disposed, and changes nothing', () => {
    const { tools, present, shown } = setUp();
    const restore = present(tools.scoped(agent), 'ptc');
    expect(() => present(tools.scoped(agent), 'native')).toThrow(
      'Cannot declare a presentation: this scope has one, and wants it disposed first',
    );
    expect(shown(agent)).toBe('ptc');
    restore();
    present(tools.scoped(agent), 'native');
    expect(shown(agent)).toBe('native');
    present(tools, 'ptc');
    expect(() => present(tools, 'both')).toThrow('Cannot declare a presentation: the deployment has one');
    expect(shown()).toBe('ptc');
  });

  it('R63: the disposer restores the default, once', () => {
    const { tools, present, shown } = setUp();
    tools.setExecutor(makeExecutor('standard').executor);
    const restoreDefault = present(tools, 'both');
    const restore = present(tools.scoped(agent), 'ptc');
    restore();
    expect(shown(agent)).toBe('both');
    restoreDefault();
    expect(shown(agent)).toBe('standard');
    present(tools.scoped(agent), 'native');
    restore();
    expect(shown(agent)).toBe('native');
  });

  it('R63: a disposer that runs again leaves the next declaration of its scope alone', () => {
    const { tools, present, shown } = setUp();
    tools.setExecutor(makeExecutor('standard').executor);
    const restore = present(tools, 'ptc');
    restore();
    present(tools, 'both');
    restore();
    expect(shown()).toBe('both');
    expect(() => present(tools, 'native')).toThrow('Cannot declare a presentation: the deployment has one');
  });

  it('R63: with nothing to restore, the deployment has no executor again', () => {
    const { tools, present, shown } = setUp();
    present(tools, 'both')();
    expect(() => shown()).toThrow('no executor is set');
  });

  it('R60, R63: an executor that was removed under a declaration is not brought back by its disposer', () => {
    const { tools, present, shown } = setUp();
    const dispose = tools.scoped(agent).setExecutor(makeExecutor('own').executor);
    const restore = present(tools.scoped(agent), 'ptc');
    dispose();
    expect(shown(agent)).toBe('ptc');
    restore();
    expect(() => shown(agent)).toThrow('the executor of scope "agent-1" was removed');
  });

  it('R63: an executor that was set over a declaration stays when the declaration goes', () => {
    const { tools, present, shown } = setUp();
    const restore = present(tools.scoped(agent), 'ptc');
    tools.scoped(agent).setExecutor(makeExecutor('own').executor);
    restore();
    expect(shown(agent)).toBe('own');
  });

  it('R14, R63: disposing a scope takes its declaration back, so that it follows the default again', () => {
    const { tools, present, shown } = setUp();
    present(tools, 'native');
    present(tools.scoped(agent), 'ptc');
    tools.scoped(agent).dispose();
    expect(shown(agent)).toBe('native');
  });

  it.each(['code', 'toString', undefined])('R63: the presentation %s does not exist', (presentation) => {
    const { tools, present } = setUp();
    expect(() => present(tools, presentation as never)).toThrow(
      'Cannot use option "presentation": wanted "native", "ptc", "both"',
    );
  });
});
