// The programs of the suite: bodies of an async function that call `tools.NAME(input)`. Every value is checked.

const sequence = (n) => `let s = 0;
for (let i = 0; i < ${n}; i++) { const r = await tools.echo({ i }); s += r.i; }
return s;`;

const triangle = (n) => (n * (n - 1)) / 2;

/** By name: the source for a size, and the value it must return. */
export const programs = {
  trivial: { source: () => 'return 1;', expected: () => 1 },
  seq: { source: sequence, expected: triangle },
  par: {
    source: (n) => `const rs = await Promise.all(Array.from({ length: ${n} }, (_, i) => tools.echo({ i })));
return rs.reduce((a, r) => a + r.i, 0);`,
    expected: triangle,
  },
  overlap: {
    source: (n) => `const rs = await Promise.all(Array.from({ length: ${n} }, () => tools.slow({ ms: 20 })));
return rs.length;`,
    expected: (n) => n,
  },
  payload: {
    source: (n) => `let s = 0;
for (let i = 0; i < ${n}; i++) { const a = await tools.big({ i }); s += a.length; }
return s;`,
    expected: (n, big) => n * big().length,
  },
  compute: {
    source: () => `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
const f = fib(27);
let x = 12345; const a = [];
for (let i = 0; i < 200000; i++) { x = (x * 1103515245 + 12345) % 2147483648; a.push(x); }
a.sort((p, q) => p - q);
let ok = true; for (let i = 1; i < a.length; i++) if (a[i - 1] > a[i]) ok = false;
return ok ? f : -1;`,
    expected: () => 196418,
  },
};

/** About 1 MB of JSON: small records, the usual shape of a list API. */
export function makeBig() {
  const rows = [];
  for (let id = 0, bytes = 2; bytes < 1_000_000; id += 1) {
    const row = {
      id,
      name: `item-${id}`,
      price: ((id * 7919) % 10007) / 100,
      tags: ['a', 'b', `t${id % 17}`],
      ok: id % 3 === 0,
    };
    bytes += JSON.stringify(row).length + 1;
    rows.push(row);
  }
  return rows;
}
