import { describe, expect, it } from 'vitest';
import { refusal, resultOf } from './run.js';

describe('enums and namespaces in several parts', () => {
  it('M12: a member that another part declares is refused where it is used, whatever outer name there is', () => {
    const texts = [
      [
        'const x = 50;\nnamespace N { export const x = 1 }\nnamespace N { export const y = x + 1 }',
        '3:32',
        'x',
      ],
      ['const X = 50;\nenum A { X = 1 }\nenum A { Y = X + 1 }', '3:14', 'X'],
      ['namespace N { export enum E { A } }\nnamespace N {\n  export const q = [E.A] }', '3:21', 'E'],
      ['namespace N { export const f = () => ({ z }) }\nnamespace N { export let [z] = [1] }', '1:41', 'z'],
      ['namespace A.B { export const a = 1 }\nnamespace A.C { B; }', '2:17', 'B'],
      [
        'namespace A { export namespace B { export const z = 1 } }\nnamespace A { export namespace B { z; } }',
        '2:36',
        'z',
      ],
    ] as const;
    for (const [text, place, name] of texts) {
      const { message, position, hint } = refusal(text);
      expect([text, message.includes(`\`${name}\``), `${position?.line}:${position?.column}`, hint]).toEqual([
        text,
        true,
        place,
        'Declare it once, with all its members.',
      ]);
    }
  });

  it('M12: parts that use their own members only, or the full name, run with their meaning', async () => {
    for (const [text, value] of [
      ['enum A { X } enum A { Y = 5, Z = Y + 1 } return [A.X, A.Z]', [0, 6]],
      ['enum A { X = 2 } enum A { Y = A.X + 5 } return A.Y', 7],
      [
        'namespace N { export const x = 1 } namespace N { export const y = N.x + 1, o = { x: 3 }.x } return [N.y, N.o]',
        [2, 3],
      ],
      [
        'namespace N { export const x = 1 } namespace N { const x = 4; export const y = x + 1 } return N.y',
        5,
      ],
      [
        'namespace N { export interface T { x: number } } namespace N { export const y: T = { x: 1 } } return N.y.x',
        1,
      ],
      [
        'function f() { enum A { X = 1 } return A.X } function g() { enum A { Y = 2 } return A.Y } return f() + g()',
        3,
      ],
    ] as const)
      expect([text, await resultOf(text)]).toEqual([text, value]);
  });
});
