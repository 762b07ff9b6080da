import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, GuestHost } from './guest-host.ts';

describe.each(engines)('globals of a program, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const resultOf = async (program: string) => {
    const { value, failure } = await host.run(program, { tools: { echo: (args) => args } });
    return failure ?? value;
  };

  const functions = [
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'queueMicrotask',
    'structuredClone',
    'atob',
    'btoa',
  ];
  const objects = [
    'console',
    'TextEncoder',
    'TextDecoder',
    'URL',
    'URLSearchParams',
    'performance',
    'crypto',
    'AbortController',
    'AbortSignal',
  ];

  it('W10: each is there as on the web: writable, configurable, functions enumerable and no constructors', async () => {
    // Named here, so that they are built when the run is set up.
    const program = `/* ${[...functions, ...objects].join(' ')} */
      const shape = (name) => { const d = Object.getOwnPropertyDescriptor(globalThis, name); return [typeof d.value, d.writable, d.enumerable, d.configurable] };
      const isConstructor = (f) => { try { Reflect.construct(Object, [], f); return true } catch { return false } };
      return [${JSON.stringify(functions)}.map((n) => [...shape(n), isConstructor(globalThis[n]), globalThis[n].name === n]), ${JSON.stringify(objects)}.map((n) => shape(n).slice(1)),
        [setTimeout.length, clearTimeout.length, structuredClone.length, atob.length]]`;
    expect(await resultOf(program)).toEqual([
      functions.map(() => ['function', true, true, true, false, true]),
      objects.map(() => [true, false, true]),
      [1, 0, 1, 1],
    ]);
  });

  it('W10: those that are reached by a computed name are built on first access', async () => {
    const program = `const g = (a, b) => globalThis[a + b];
      const url = new (g('U', 'RL'))('https://e.test/a');
      return [url.href, typeof g('ato', 'b'), g('perf', 'ormance') === g('perfor', 'mance'), 'UR' + 'L' in globalThis,
        Object.keys(globalThis).includes('struct' + 'uredClone')]`;
    expect(await resultOf(program)).toEqual(['https://e.test/a', 'function', true, true, true]);
  });

  it('W10: they can be replaced and removed, before and after they were built', async () => {
    const program = `const name = 'U' + 'RL'; globalThis[name] = 5; const first = globalThis[name];
      delete globalThis['at' + 'ob']; performance = 6;
      return [first, typeof globalThis['at' + 'ob'], performance]`;
    expect(await resultOf(program)).toEqual([5, 'undefined', 6]);
  });

  it('W10, M17: nothing of the host is there: no Node, no network, no modules, no WebAssembly or shared memory', async () => {
    const absent =
      'process require module exports Buffer global fetch XMLHttpRequest WebSocket WebAssembly SharedArrayBuffer Atomics setImmediate navigator document window Worker importScripts';
    const program = `return ${JSON.stringify(absent.split(' '))}.filter((name) => name in globalThis)`;
    expect(await resultOf(program)).toEqual([]);
  });

  it('the built-ins of the language are untouched', async () => {
    const program = `const data = (o, k) => { const d = Object.getOwnPropertyDescriptor(o, k); return 'value' in d && d.writable && !d.enumerable && d.configurable };
      return [data(Promise.prototype, 'then'), data(Promise.prototype, 'constructor'), data(Function.prototype, 'toString'), data(JSON, 'stringify'),
        data(Array.prototype, 'map'), data(globalThis, 'Promise'), data(globalThis, 'eval'), Error.prepareStackTrace === undefined, Object.keys(Error),
        Object.getOwnPropertyNames(Object.prototype).length, [1, 2].includes(2), (0, eval)('this') === globalThis, new Function('return 4')()]`;
    const value = await resultOf(program);
    expect(value.slice(0, 8)).toEqual(Array(8).fill(true));
    expect(value.slice(10)).toEqual([true, true, 4]);
  });

  it('M16: nothing survives a run', async () => {
    await resultOf(
      `globalThis.left = 1; Array.prototype.left = 2; JSON.stringify = null; tools.echo.left = 3; return 1`,
    );
    expect(
      await resultOf('return [typeof left, [].left ?? null, typeof JSON.stringify, typeof tools.echo.left]'),
    ).toEqual(['undefined', null, 'function', 'undefined']);
  });

  it('timers fire in due order with their arguments, each with its jobs before the next', async () => {
    const program = `const out = [];
      setTimeout((...args) => out.push('late', ...args), 20, 'a', 'b');
      setTimeout(() => { out.push('first'); Promise.resolve().then(() => out.push('job')) }, 5);
      setTimeout(() => out.push('second'), 5);
      const cleared = setTimeout(() => out.push('never'), 1); clearTimeout(cleared); clearTimeout(undefined); clearTimeout('x'); clearInterval(12345);
      let ticks = 0; const every = setInterval(() => { out.push('tick'); if (++ticks === 2) clearInterval(every) }, 8);
      await new Promise((resolve) => setTimeout(resolve, 30));
      return out`;
    expect(await resultOf(program)).toEqual(['first', 'job', 'second', 'tick', 'tick', 'late', 'a', 'b']);
  });

  it('a timer that another clears in the same moment does not fire', async () => {
    const program = `const out = []; const ids = [setTimeout(() => { out.push(1); clearTimeout(ids[1]) }), setTimeout(() => out.push(2)), setTimeout(() => out.push(3))];
      await new Promise((r) => setTimeout(r, 1)); return out`;
    expect(await resultOf(program)).toEqual([1, 3]);
  });

  it('E98: delays are taken as on the web, but one that a timer cannot hold is refused; a timer wants a function', async () => {
    const { turns, value } =
      await host.run(`for (const d of [undefined, NaN, -5, 0.4, 1.9, '7', null]) setTimeout(() => {}, d);
      const errors = [() => setTimeout(() => {}, 2 ** 31), () => setTimeout(() => {}, Infinity), () => setInterval('code'), () => setTimeout(), () => queueMicrotask()];
      return errors.map((attempt) => { try { attempt(); return 'armed' } catch (e) { return e.name + ': ' + e.message } })`);
    expect(turns[0]!.timers?.map(([, delay]) => delay)).toEqual([0, 0, 0, 0, 1, 7, 0]);
    expect(value).toEqual([
      'RangeError: Cannot use a delay of 2147483648 ms in setTimeout: at most 2147483647 is possible',
      'RangeError: Cannot use a delay of Infinity ms in setTimeout: at most 2147483647 is possible',
      'TypeError: Cannot call setInterval: wanted a function, received string',
      'TypeError: Cannot call setTimeout: wanted a function, received undefined',
      'TypeError: Cannot call queueMicrotask: wanted a function, received undefined',
    ]);
  });

  it('arming one timer more than may be throws in the program', async () => {
    const program = `for (let i = 0; ; i++) try { setTimeout(() => {}, 1) } catch (e) { return [i, e.message] }`;
    const { value } = await host.run(program, { limits: { maxTimers: 3 } });
    expect(value).toEqual([3, 'Cannot arm a timer: at most 3 may be armed at once']);
  });

  it('M35: a program that nothing can wake any more fails at once as a deadlock', async () => {
    for (const program of [
      'await new Promise(() => {})',
      'await tools.echo({}); await new Promise(() => {})',
      'setTimeout(() => {}, 5); await new Promise(() => {})',
      'const { promise } = { promise: new Promise(() => {}) }; for await (const x of [promise]) return x',
    ]) {
      const { failure } = await host.run(program, { tools: { echo: (args) => args } });
      expect([program, failure?.kind]).toEqual([program, 'deadlock']);
    }
  });

  it('microtasks run in order, before any timer', async () => {
    const program = `const out = []; setTimeout(() => out.push('timer'), 0); queueMicrotask(() => out.push('b')); Promise.resolve().then(() => out.push('c')); out.push('a');
      await new Promise((r) => setTimeout(r, 1)); return out`;
    expect(await resultOf(program)).toEqual(['a', 'b', 'c', 'timer']);
  });

  it('an abort signal tells its listeners once, in order, and any follows the first', async () => {
    const program = `const out = []; const c = new AbortController(); const { signal } = c;
      const twice = () => out.push('listener'); signal.addEventListener('abort', twice); signal.addEventListener('abort', twice);
      const gone = () => out.push('gone'); signal.addEventListener('abort', gone); signal.removeEventListener('abort', gone);
      signal.addEventListener('abort', { handleEvent(event) { out.push(event.type, event.target === signal) } });
      signal.onabort = () => out.push('onabort'); const any = AbortSignal.any([new AbortController().signal, signal]);
      out.push(signal.aborted, signal.reason ?? null); c.abort('why'); c.abort('again');
      out.push(signal.aborted, signal.reason, any.aborted, any.reason);
      try { signal.throwIfAborted() } catch (e) { out.push(e) }
      const timed = AbortSignal.timeout(5); out.push(timed.aborted); await new Promise((r) => setTimeout(r, 9)); out.push(timed.aborted, timed.reason.name);
      out.push(AbortSignal.abort().reason.name, AbortSignal.abort(1).reason, Object.prototype.toString.call(signal));
      for (const bad of [() => new AbortSignal(), () => AbortSignal.prototype.aborted, () => AbortController.prototype.abort.call({})]) try { bad(); out.push('made') } catch (e) { out.push(e.name) }
      return out`;
    expect(await resultOf(program)).toEqual([
      false,
      null,
      'onabort',
      'listener',
      'abort',
      true,
      true,
      'why',
      true,
      'why',
      'why',
      false,
      true,
      'TimeoutError',
      'AbortError',
      1,
      '[object AbortSignal]',
      'TypeError',
      'TypeError',
      'TypeError',
    ]);
  });

  it('random identifiers are version 4 and differ', async () => {
    const ids: string[] = await resultOf('return Array.from({ length: 100 }, () => crypto.randomUUID())');
    expect(new Set(ids).size).toBe(100);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('the clock starts with the run and does not go back, whatever becomes of Date', async () => {
    const program = `const a = performance.now(); Date.now = () => 0; const b = performance.now(); return [a >= 0 && a < 5000, b >= a]`;
    expect(await resultOf(program)).toEqual([true, true]);
  });

  it('text is coded as the web does it, for any text and any bytes', async () => {
    const texts = fc
      .sample(fc.string({ unit: 'binary', maxLength: 12 }), { numRuns: 60, seed: 3 })
      .concat(['\ud83d', 'a\udc00b', '😀é€']);
    const bytes = fc
      .sample(fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 10 }), { numRuns: 200, seed: 5 })
      .concat([
        [0xef, 0xbb, 0xbf, 0x61],
        [0xf0, 0x9f, 0x98],
        [0xe2, 0x82, 0xac],
        [0xed, 0xa0, 0x80],
        [0xc0, 0x80],
        [0xf4, 0x90, 0x80, 0x80],
      ]);
    const program = `const texts = ${JSON.stringify(texts)}, bytes = ${JSON.stringify(bytes)};
      const fatal = (b) => { try { return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(b)) } catch (e) { return e.name } };
      const chunked = (b) => { const d = new TextDecoder(); let t = ''; for (const one of b) t += d.decode(new Uint8Array([one]), { stream: true }); return t + d.decode() };
      return [texts.map((t) => [...new TextEncoder().encode(t)]), bytes.map((b) => new TextDecoder().decode(new Uint8Array(b))), bytes.map(fatal), bytes.map(chunked),
        bytes.map((b) => new TextDecoder('utf-16le').decode(new Uint8Array(b))), bytes.map((b) => new TextDecoder('latin1').decode(new Uint8Array(b).buffer))]`;
    const [encoded, decoded, fatal, chunked, wide, narrow] = await resultOf(program);
    const decode = (b: number[], label = 'utf-8') => new TextDecoder(label).decode(new Uint8Array(b));
    expect(encoded).toEqual(texts.map((text) => [...new TextEncoder().encode(text)]));
    expect(decoded).toEqual(bytes.map((b) => decode(b)));
    expect(chunked).toEqual(bytes.map((b) => decode(b)));
    // Node takes Latin-1 for windows-1252; the web does not, in these 32 places.
    const high = [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'];
    const narrowed = (b: number) => (b >= 0x80 && b <= 0x9f ? high[b - 0x80] : String.fromCharCode(b));
    expect(narrow).toEqual(bytes.map((b) => b.map(narrowed).join('')));
    expect(wide).toEqual(bytes.map((b) => decode(b, 'utf-16le')));
    expect(fatal).toEqual(
      bytes.map((b) => {
        try {
          return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(b));
        } catch (error) {
          return (error as Error).name;
        }
      }),
    );
  });

  it('encodeInto writes what fits, whole code points only', async () => {
    const program = `const to = new Uint8Array(5); const r = new TextEncoder().encodeInto('aé😀', to); return [r, [...to], new TextEncoder().encoding, new TextDecoder('UTF-8').encoding]`;
    expect(await resultOf(program)).toEqual([
      { read: 2, written: 3 },
      [97, 195, 169, 0, 0],
      'utf-8',
      'utf-8',
    ]);
    expect(await resultOf(`try { new TextDecoder('shift_jis') } catch (e) { return e.name }`)).toBe(
      'RangeError',
    );
  });

  it('base64 is coded as the web does it', async () => {
    const texts = fc.sample(
      fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)), maxLength: 9 }),
      { numRuns: 80, seed: 1 },
    );
    const coded = ['aGk=', 'aGk', ' a G\tk = ', 'aGk==', 'a', 'aG!k', 'aGkx=', '', '='];
    const program = `const attempt = (f) => { try { return f() } catch (e) { return e.name } };
      return [${JSON.stringify(texts)}.map((t) => [btoa(t), atob(btoa(t)) === t]), ${JSON.stringify(coded)}.map((t) => attempt(() => atob(t))), attempt(() => btoa('€')), attempt(() => btoa())]`;
    expect(await resultOf(program)).toEqual([
      texts.map((text) => [btoa(text), true]),
      coded.map((text) => {
        try {
          return atob(text);
        } catch (error) {
          return (error as Error).name;
        }
      }),
      'InvalidCharacterError',
      'TypeError',
    ]);
  });

  it('URLs are parsed and changed as the web does it', async () => {
    const inputs = [
      'https://user:pa%20ss@Example.COM:8080/a/../b/./c%20d?x=1&y=a+b&z=%E4%F6#frag',
      'http://[::1]:80/',
      'file:///C:/x/../y',
      'mailto:a@b.c',
      'data:text/plain,hi',
      'https://例え.jp/ä?ö#ü',
      'HTTP://a.b/%zz',
      'https://a.b?',
      'javascript:alert(1)',
      'https://1.2.3/',
      'not a url',
      '',
      '//x',
      'https://a b/',
    ];
    const fields = [
      'href',
      'origin',
      'protocol',
      'username',
      'password',
      'host',
      'hostname',
      'port',
      'pathname',
      'search',
      'hash',
    ] as const;
    const edits = [
      ['pathname', '/new path'],
      ['search', '?q=1'],
      ['hash', ''],
      ['port', '99999'],
      ['port', '81'],
      ['protocol', 'ftp'],
      ['hostname', 'ex.org'],
      ['username', 'me'],
    ] as const;
    const describe = (url: URL) => [
      ...fields.map((field) => url[field]),
      [...url.searchParams],
      url.toString(),
      JSON.stringify(url),
    ];
    const program = `const fields = ${JSON.stringify(fields)}; const describe = (url) => [...fields.map((f) => url[f]), [...url.searchParams], url.toString(), JSON.stringify(url)];
      const attempt = (f) => { try { return f() } catch (e) { return e.name } };
      return [${JSON.stringify(inputs)}.map((i) => attempt(() => describe(new URL(i)))), ${JSON.stringify(inputs)}.map((i) => attempt(() => new URL(i, 'https://base.test/dir/file?q').href)),
        ${JSON.stringify(edits)}.map(([k, v]) => { const u = new URL('https://a.test:80/p?x=1#h'); u[k] = v; return describe(u) }),
        [URL.canParse('https://a'), URL.canParse('x'), URL.parse('x'), URL.parse('/y', 'https://a').href, Object.prototype.toString.call(new URL('a:b'))],
        attempt(() => { 'use strict'; new URL('https://a').origin = 'x' })]`;
    const attempt = <T>(make: () => T) => {
      try {
        return make();
      } catch (error) {
        return (error as Error).name;
      }
    };
    expect(await resultOf(program)).toEqual([
      inputs.map((input) => attempt(() => describe(new URL(input)))),
      inputs.map((input) => attempt(() => new URL(input, 'https://base.test/dir/file?q').href)),
      edits.map(([key, value]) => {
        const url = new URL('https://a.test:80/p?x=1#h');
        url[key] = value;
        return describe(url);
      }),
      [true, false, null, 'https://a/y', '[object URL]'],
      'TypeError',
    ]);
  });

  it('query parameters are read, changed and written as the web does it', async () => {
    const queries = fc.sample(
      fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 4 }), fc.string({ maxLength: 4 })), {
        maxLength: 4,
      }),
      { numRuns: 40, seed: 11 },
    );
    const texts = ['?a=1&b=2&a=3', 'x', '=y', '&&', 'a=%C3%A4+b&c=%ff&d=%zz', 'e==f', "~!*()'-._"];
    const steps = `p.append('n', 'a b'); p.set('a', 'ä&='); p.delete('b'); p.sort();`;
    const program = `return [${JSON.stringify(queries)}.map((q) => [String(new URLSearchParams(q)), [...new URLSearchParams(String(new URLSearchParams(q)))]]),
      ${JSON.stringify(texts)}.map((t) => { const p = new URLSearchParams(t); ${steps} return [String(p), p.size, p.get('a'), p.getAll('a'), p.has('b'), [...p.keys()], [...p.values()]] }),
      (() => { const u = new URL('https://a/?x=1'); const p = u.searchParams; p.append('y', '2 3'); const mid = u.href; u.search = '?z=9'; return [mid, String(p), p === u.searchParams] })(),
      String(new URLSearchParams({ o: 1, 'p q': true })), (() => { const seen = []; new URLSearchParams('a=1&b=2').forEach((v, k) => seen.push(k + v)); return seen })()]`;
    const change = (text: string) => {
      const p = new URLSearchParams(text);
      p.append('n', 'a b');
      p.set('a', 'ä&=');
      p.delete('b');
      p.sort();
      return [
        String(p),
        [...p].length,
        p.get('a'),
        p.getAll('a'),
        p.has('b'),
        [...p.keys()],
        [...p.values()],
      ];
    };
    expect(await resultOf(program)).toEqual([
      queries.map((query) => [
        String(new URLSearchParams(query)),
        [...new URLSearchParams(String(new URLSearchParams(query)))],
      ]),
      texts.map(change),
      ['https://a/?x=1&y=2+3', 'z=9', true],
      'o=1&p+q=true',
      ['a1', 'b2'],
    ]);
  });

  it('structuredClone copies by kind, keeps shared and circular references, and refuses what cannot be copied', async () => {
    const program = `const shared = { s: 1 }; const source = { shared, again: shared, date: new Date(5), re: /a/gi, map: new Map([[shared, [1, , 3]]]), set: new Set(['x']), big: 10n, u: undefined,
        bytes: new Uint8Array([1, 2, 3]).subarray(1), buffer: new ArrayBuffer(2), view: new DataView(new ArrayBuffer(4), 1, 2), boxed: new String('b'), error: new RangeError('far', { cause: 'c' }), __proto__: { inherited: 1 } };
      source.self = source; const copy = structuredClone(source);
      const refused = [() => 1, Symbol('s'), { f() {} }, new WeakMap(), Promise.resolve(), [].values()].map((v) => { try { structuredClone(v); return 'copied' } catch (e) { return e.name } });
      return [copy !== source, copy.self === copy, copy.shared === copy.again, copy.shared !== shared, copy.date.getTime(), String(copy.re), copy.map.get(copy.shared).length, 1 in copy.map.get(copy.shared), [...copy.set],
        String(copy.big), 'u' in copy, [...copy.bytes], copy.bytes.constructor.name, copy.bytes.byteOffset, copy.buffer.byteLength, copy.view.byteLength, copy.boxed instanceof String && copy.boxed.valueOf(),
        copy.error instanceof RangeError, copy.error.message, copy.error.cause, 'inherited' in copy, Object.getPrototypeOf(copy) === Object.prototype, refused]`;
    expect(await resultOf(program)).toEqual([
      true,
      true,
      true,
      true,
      5,
      '/a/gi',
      3,
      false,
      ['x'],
      '10',
      true,
      [2, 3],
      'Uint8Array',
      1,
      2,
      2,
      'b',
      true,
      'far',
      'c',
      false,
      true,
      Array(6).fill('DataCloneError'),
    ]);
  });
});
