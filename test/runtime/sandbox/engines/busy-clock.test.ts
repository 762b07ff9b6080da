import { describe, expect, it } from 'vitest';
import { BusyClock } from '#dist/runtime/sandbox/engines/busy-clock.js';

function handTurned() {
  const time = { wall: 1000, cpu: 500 };
  const clock = new BusyClock({ wall: () => time.wall, cpu: () => time.cpu });
  const pass = (wall: number, cpu: number) => {
    time.wall += wall;
    time.cpu += cpu;
  };
  return { clock, pass };
}

describe('the clock of an engine that charges by itself', () => {
  it('M36: a loaded machine, which gives the guest a part of the time, charges that part only', () => {
    const { clock, pass } = handTurned();
    clock.start(100);
    pass(400, 60);
    expect([clock.busyMs, clock.isOver]).toEqual([60, false]);
    pass(400, 60);
    expect([clock.busyMs, clock.isOver]).toEqual([120, true]);
  });

  it('M36: helper threads, which make the process busier than the wall, charge nothing extra', () => {
    const { clock, pass } = handTurned();
    clock.start(100);
    pass(50, 200);
    expect([clock.busyMs, clock.isOver]).toEqual([50, false]);
  });

  it('M36: what the host does for the guest, a blocked write above all, is not charged', () => {
    const { clock, pass } = handTurned();
    clock.start(100);
    expect(
      clock.excluding(() => {
        pass(1000, 30);
        return 'answer';
      }),
    ).toBe('answer');
    pass(20, 20);
    expect([clock.busyMs, clock.isOver]).toEqual([20, false]);
  });

  it('M36: each entry is measured for itself', () => {
    const { clock, pass } = handTurned();
    clock.start(100);
    pass(90, 90);
    clock.start(100);
    pass(90, 90);
    expect([clock.busyMs, clock.isOver]).toEqual([90, false]);
  });
});
