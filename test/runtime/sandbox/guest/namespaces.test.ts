import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedFailure, engines, GuestHost, toolNamespaces } from './guest-host.ts';

describe.each(engines)('what a program is given to call, %s', (engine) => {
  let host: GuestHost;
  beforeAll(async () => {
    host = await GuestHost.open({ engine });
  });
  afterAll(() => host.dispose());

  const echo = (args: unknown) => args;
  const boom = () => {
    throw new CodedFailure('TOOL_TIMEOUT', 'boom');
  };
  const resultOf = async (program: string, names: readonly string[] = ['echo', 'boom', 'search_all']) => {
    const tools = Object.fromEntries(names.map((name) => [name, name === 'boom' ? boom : echo]));
    const { value, failure, calls } = await host.run(program, { tools });
    return failure === undefined ? { value, calls: calls.length } : failure;
  };

  it('M15: injected names are parameters, not globals, and can be shadowed', async () => {
    const program = `const here = [typeof globalThis.tools, typeof globalThis.sdk, typeof globalThis.ToolCallError, 'tools' in globalThis];
      { const tools = 5; here.push(tools); }
      return here`;
    expect(await resultOf(program)).toEqual({
      value: ['undefined', 'undefined', 'undefined', false, 5],
      calls: 0,
    });
    expect(await resultOf('var tools = 1; return tools')).toMatchObject({ value: 1 });
  });

  it('M42, E109: in, keys and own-property tests show members only', async () => {
    const program = `return ['echo' in tools, 'serach' in tools, 'hasOwnProperty' in tools, Object.keys(tools), Object.hasOwn(tools, 'echo'),
      Object.hasOwn(tools, 'nope'), Object.getPrototypeOf(tools), Reflect.ownKeys(tools), typeof tools.hasOwnProperty, typeof tools.constructor,
      typeof tools.__proto__, typeof tools.then, typeof tools.toJSON, typeof tools.run_code, typeof tools[Symbol.iterator],
      Object.getOwnPropertyDescriptor(tools, 'echo').writable, tools.echo === tools.echo, tools.echo.name]`;
    expect(await resultOf(program)).toMatchObject({
      value: [
        true,
        false,
        false,
        ['echo', 'boom', 'search_all'],
        true,
        false,
        null,
        ['echo', 'boom', 'search_all'],
        ...Array(7).fill('undefined'),
        false,
        true,
        'echo',
      ],
    });
  });

  it('M42: members cannot be replaced, removed or added', async () => {
    const program = `const tries = [() => { tools.echo = 1 }, () => { delete tools.echo }, () => Object.defineProperty(tools, 'x', { value: 1 }),
        () => Object.setPrototypeOf(tools, {}), () => Object.freeze(tools)];
      return tries.map((attempt) => { try { attempt(); return 'done' } catch (error) { return error.name } }).concat(await tools.echo({ a: 1 }).then((r) => r.a))`;
    expect(await resultOf(program)).toEqual({
      value: ['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 1],
      calls: 1,
    });
  });

  it('M42, E11: names like those of Object.prototype are members when they are declared', async () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'toJSON',
      'catch',
      'a-b',
      'größe',
      '',
      'line\nbreak',
    ];
    const program = `const out = {}; for (const name of ${JSON.stringify(names)}) out['_' + name] = [typeof tools[name], (await tools[name]({ name })).name]; return out`;
    const { value } = (await resultOf(program, names)) as { value: object };
    expect(value).toEqual(Object.fromEntries(names.map((name) => [`_${name}`, ['function', name]])));
  });

  it('W6, M42: awaiting or returning the namespace does not hang, and a tool named then is reached through call only', async () => {
    const program = `const t = await tools; const u = await Promise.resolve(tools); return [typeof t.echo, (await u.echo({ a: 1 })).a, 'then' in tools, (await sdk.call('then', { b: 2 })).b, Object.keys(tools)]`;
    expect(await resultOf(program, ['echo', 'then', 'toJSON'])).toEqual({
      value: ['function', 1, false, 2, ['echo', 'toJSON']],
      calls: 2,
    });
    expect(await resultOf('return JSON.stringify({ tools })')).toEqual({ value: '{"tools":{}}', calls: 0 });
    expect(await resultOf('return tools')).toMatchObject({
      kind: 'invalid-output',
      message: expect.stringContaining('value.echo is a function'),
    });
  });

  it('W6: an unknown tool rejects with the class of the namespace and the three closest names, and no call is made', async () => {
    const program = `try { await tools.serachAll({}) } catch (e) { return [e instanceof ToolCallError, e.name, e.toolName, e.code, e.message] }`;
    expect(await resultOf(program, ['write_file', 'serve', 'search_all', 'search', 'xyz'])).toEqual({
      value: [
        true,
        'ToolCallError',
        'serachAll',
        'UNKNOWN_TOOL',
        'Unknown tool "serachAll" in "tools": the closest names are "search_all", "search", "serve"',
      ],
      calls: 0,
    });
    expect(await resultOf('try { await tools.x() } catch (e) { return e.message }', [])).toMatchObject({
      value: 'Unknown tool "x" in "tools": nothing can be called here',
    });
    expect(
      await resultOf("try { await sdk.call('ecko') } catch (e) { return e.message }", ['echo']),
    ).toMatchObject({
      value: 'Unknown tool "ecko" in "tools": the closest names are "echo"',
    });
  });

  it('W6: among thousands of tools the closest names are found all the same', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => `service${i % 20}_read_thing_${i}`);
    const messageFor = (name: string) =>
      resultOf(`try { await tools[${JSON.stringify(name)}]({}) } catch (e) { return e.message }`, [
        ...many,
        'search_all',
        'makeEverything',
      ]);
    expect(await messageFor('serachAll')).toMatchObject({
      value: expect.stringMatching(
        /^Unknown tool "serachAll" in "tools": the closest names are "search_all", /,
      ),
    });
    expect(await messageFor('make_everthing')).toMatchObject({
      value: expect.stringContaining('the closest names are "makeEverything", '),
    });
    expect(await messageFor('service3_read_thng_4983')).toMatchObject({
      value: expect.stringContaining('"service3_read_thing_4983"'),
    });
    expect(await messageFor('x')).toMatchObject({
      value: 'Unknown tool "x" in "tools": no name is like it, Object.keys(tools) gives those that exist',
    });
  });

  it('M43: a rejection is an instance of the injected class with own name, member, message and library code', async () => {
    const program = `try { await tools.boom({}) } catch (e) {
        return [e instanceof ToolCallError, e instanceof Error, Object.keys(e), e.name, e.toolName, e.code, e.message, String(e),
          Object.getOwnPropertyDescriptor(e, 'message').enumerable, e.constructor === ToolCallError, Object.prototype.toString.call(e)] }`;
    expect(await resultOf(program)).toMatchObject({
      value: [
        true,
        true,
        ['name', 'toolName', 'code'],
        'ToolCallError',
        'boom',
        'TOOL_TIMEOUT',
        'boom',
        'ToolCallError: boom',
        false,
        true,
        '[object Error]',
      ],
    });
  });

  it('M43, E110: without an error class a rejection is a plain error without the member property', async () => {
    const [tools] = toolNamespaces(['boom']);
    const { errorClass, ...bare } = tools!;
    const program = `try { await tools.boom({}) } catch (e) { return [e.constructor === Error, Object.keys(e), e.name, typeof ToolCallError] }`;
    const { value } = await host.run(program, { tools: { boom }, namespaces: [bare] });
    expect(value).toEqual([true, ['code'], 'Error', 'undefined']);
    expect(errorClass?.name).toBe('ToolCallError');
  });

  it('M9: a namespace may be called like the usual error class when no class has that name', async () => {
    const [tools] = toolNamespaces(['echo']);
    const { errorClass: _, ...bare } = tools!;
    const { value } = await host.run('return await ToolCallError.echo({ a: 1 })', {
      tools: { echo },
      namespaces: [{ ...bare, global: 'ToolCallError' }],
    });
    expect(value).toEqual({ a: 1 });
  });

  it('M43: the injected class can be made and extended by the program', async () => {
    const program = `class Mine extends ToolCallError {}
      const mine = new Mine('own', { cause: 1 });
      return [mine instanceof ToolCallError, mine.message, mine.cause, mine.name, ToolCallError.name, typeof mine.stack]`;
    expect(await resultOf(program)).toMatchObject({
      value: [true, 'own', 1, 'ToolCallError', 'ToolCallError', 'string'],
    });
  });

  it('E80: no argument is an empty object; anything but one object is refused with what is wanted', async () => {
    const program = `const out = [await tools.echo(), await tools.echo(undefined)];
      for (const bad of [1, 'x', [], null, new Date(0), true]) try { await tools.echo(bad); out.push('sent') } catch (e) { out.push(e.code + ' ' + e.message) }
      return out`;
    const wanted =
      'INVALID_ARGS Cannot call "tools.echo": wanted one arguments object such as { name: value }, received';
    expect(await resultOf(program)).toEqual({
      value: [
        {},
        {},
        `${wanted} a number`,
        `${wanted} a string`,
        `${wanted} an array`,
        `${wanted} null`,
        `${wanted} an object that is sent as a text or a number`,
        `${wanted} a boolean`,
      ],
      calls: 2,
    });
  });

  it('a list member gets its arguments as one array, converted like any others', async () => {
    const { value, calls } = await host.run(
      "return [await sdk.search('a', undefined, new Date(0)), await sdk.search()]",
      {
        tools: { echo },
      },
    );
    expect(value).toEqual([['a', null, '1970-01-01T00:00:00.000Z'], []]);
    expect(calls.map((call) => call.slice(0, 4))).toEqual([
      [1, 1, 0, ['a', null, '1970-01-01T00:00:00.000Z']],
      [2, 1, 0, []],
    ]);
  });

  it('a forwarding member calls the other namespace by name and fails with its error class', async () => {
    const program = `const out = [await sdk.call('echo', { a: 1 }), await sdk.call('echo')];
      try { await sdk.call('boom', {}) } catch (e) { out.push([e instanceof ToolCallError, e.toolName]) }
      try { await sdk.call(5) } catch (e) { out.push(e.message) }
      try { await sdk.call('echo', {}, { retries: 2 }) } catch (e) { out.push(e.code) }
      return out`;
    const { value, calls } = await host.run(program, { tools: { echo, boom } });
    expect(value).toEqual([
      { a: 1 },
      {},
      [true, 'boom'],
      'Cannot call a member of "tools" by name: wanted its name as a text, received number',
      'INVALID_ARGS',
    ]);
    expect(calls.map((call) => call[1])).toEqual([0, 0, 0]);
  });
});
