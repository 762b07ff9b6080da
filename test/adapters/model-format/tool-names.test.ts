import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolNames } from '#dist/adapters/model-format/tool-names.js';

const limits = { maxLength: 64, dashes: true };
const accepted = /^[a-zA-Z0-9_-]{1,64}$/;

describe('names for a model API', () => {
  it('an accepted name stays, even where a cleaned one would like to be called so', () => {
    const first = toolNames(['files.read'], limits).outward('files.read');
    const names = toolNames(['files.read', first, 'read'], limits);
    expect(names.outward(first)).toBe(first);
    expect(names.outward('read')).toBe('read');
    expect(names.inward(names.outward('files.read'))).toBe('files.read');
    expect(names.outward('files.read')).not.toBe(first);
  });

  it('a cleaned name is the same in every release, since conversations hold it', () => {
    expect(toolNames(['files.read'], limits).outward('files.read')).toBe('files_read_889d548e');
  });

  it('a cleaned name does not depend on which other tools there are', () => {
    const long = `${'a'.repeat(80)}.x`;
    const alone = toolNames([long], limits).outward(long);
    expect(toolNames(['b', 'files.read', long, `${long}y`], limits).outward(long)).toBe(alone);
    expect(toolNames([`${long}y`, long], limits).outward(long)).toBe(alone);
  });

  it('a name that the map does not know stays as it is', () => {
    expect(toolNames(['a'], limits).inward('__proto__')).toBe('__proto__');
  });

  it('any set of names has accepted, distinct, reversible names', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.constantFrom('__proto__', 'constructor', 'then', 'a.b', 'a_b', 'a-b', 'a b', '日本', '本日'),
      fc.string({ minLength: 60, maxLength: 70 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.constantFrom(true, false), (registered, dashes) => {
        const names = toolNames(registered, { maxLength: 64, dashes });
        const outward = registered.map((each) => names.outward(each));
        expect(new Set(outward).size).toBe(registered.length);
        for (const each of outward) expect(each).toMatch(dashes ? accepted : /^\w{1,64}$/);
        expect(outward.map((each) => names.inward(each))).toEqual(registered);
      }),
    );
  });
});
