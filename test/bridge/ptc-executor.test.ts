import { expect, it } from 'vitest';
import { makeTool } from '../support/make-tool.ts';
import { ptcHost, textOf } from './ptc-host.ts';

it('C1, C7: a program calls a tool and its value comes back', async () => {
  const host = ptcHost({
    plays: {
      async main({ tools, log }) {
        log('hello');
        return [await tools['echo']!({ a: 1 }), await tools['echo']!()];
      },
    },
  });
  host.tools.register(
    makeTool('echo', { output: { schema: {}, render: () => [] }, execute: async (args) => args }),
  );
  const result = await host.run('main');
  expect(result.value).toEqual({ logs: ['hello'], result: [{ a: 1 }, {}] });
  expect(textOf(result)).toContain('hello');
  expect(host.lines()).toEqual(['start 1 echo', 'end 1 ok', 'start 2 echo', 'end 2 ok']);
});
