import { sdkText } from 'ptc-runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type OpenApiToolsOptions,
  openApiTools,
  registerOpenApiTools,
} from '#dist/adapters/openapi/index.js';
import { callTool, nativeTools } from '../foreign.ts';
import { pets, type TestServer, testServer } from './pets.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.close());

function register(options: Partial<OpenApiToolsOptions> = {}, document: unknown = pets) {
  const tools = nativeTools();
  const remove = registerOpenApiTools(tools, document, { baseUrl: `${server.url}/v1`, ...options });
  return { tools, remove };
}

const answer = (line: string, value: unknown, more: object = {}) =>
  server.answers.set(line, { body: JSON.stringify(value), ...more });

describe('the tools of a document', () => {
  it('one for each operation, with what it does to the world', () => {
    const { tools, remove } = register();
    const told = tools.definitions().map(({ name, isConcurrencySafe }) => {
      const { readOnly, idempotent, destructive, kind, source } = tools.registration(name)!;
      return [name, isConcurrencySafe?.({}) ?? false, readOnly, idempotent, destructive, kind, source].join(
        ' ',
      );
    });
    expect(told).toEqual([
      'listPets true true true false fetch Pets',
      'createPet false false false false edit Pets',
      'get_pets_id true true true false fetch Pets',
      'deletePet false false true true delete Pets',
      'headPet true true true false fetch Pets',
      'sendForm false false false false edit Pets',
      'elsewhere true true true false fetch Pets',
    ]);
    remove();
    expect(tools.definitions()).toEqual([]);
  });

  it('the SDK text has the types of both directions', () => {
    const { tools } = register({ include: ({ path }) => path === '/pets' });
    const { text } = sdkText(tools.definitions());
    expect(text).toMatch(/createPet\(/);
    expect(text).toMatch(/tag\?: string \| null/);
  });

  it('parameters go where and how the document says', async () => {
    const { tools } = register();
    answer('GET /v1/pets', []);
    const args = { tag: ['a b', 'c&d'], filter: { age: { min: 1 } }, ids: [1, 2], 'X-Trace': 't1' };
    expect(await callTool(tools, 'listPets', args)).toMatchObject({ isError: false, value: [] });
    expect(server.seen[0]?.line).toBe(
      'GET /v1/pets?tag=a%20b&tag=c%26d&filter%5Bage%5D%5Bmin%5D=1&ids=1%2C2',
    );
    expect(server.seen[0]?.headers['x-trace']).toBe('t1');
    expect((await callTool(tools, 'listPets', { Authorization: 'mine' })).error?.info?.code).toBe(
      'INVALID_ARGS',
    );
  });

  it('a body is validated and sent; what is read-only need not be in it, what is write-only not in the answer', async () => {
    const { tools } = register();
    answer(
      'POST /v1/pets',
      { id: 1, name: 'Rex', tag: null, parent: { id: 2, name: 'Ada' } },
      { status: 201 },
    );
    const body = { name: 'Rex', secret: 's', parent: { name: 'Ada', secret: 's' } };
    expect(await callTool(tools, 'createPet', { body })).toMatchObject({ value: { id: 1, tag: null } });
    expect(JSON.parse(server.seen[0]!.body)).toEqual(body);
    expect(server.seen[0]?.headers['content-type']).toBe('application/json');
    for (const wrong of [{}, { body: { name: 'Rex' } }, { body: { ...body, age: 0 } }]) {
      expect((await callTool(tools, 'createPet', wrong)).error?.info?.code).toBe('INVALID_ARGS');
    }
    expect(server.seen).toHaveLength(1);
    answer('POST /v1/pets', { id: 'one' }, { status: 201 });
    expect((await callTool(tools, 'createPet', { body })).error?.info?.code).toBe('INVALID_TOOL_OUTPUT');
    const lenient = register({ responseSchemas: 'ignore' });
    expect(await callTool(lenient.tools, 'createPet', { body })).toMatchObject({ value: { id: 'one' } });
  });

  it('two parameters of one name are two arguments, and a path cannot be led away', async () => {
    const { tools } = register();
    answer('GET /v1/pets/a%2Fb', 'found');
    expect(await callTool(tools, 'get_pets_id', { id: 'a/b', id_query: 'q' })).toMatchObject({
      value: 'found',
    });
    expect(server.seen[0]?.line).toBe('GET /v1/pets/a%2Fb?id=q');
    for (const id of ['..', '.', '', '../../admin', '..\\admin', 'a/..']) {
      expect((await callTool(tools, 'get_pets_id', { id })).error?.info?.code).toBe('INVALID_ARGS');
    }
    expect(server.seen).toHaveLength(1);
  });

  it('no body is null, a HEAD gives status and headers, text is text, other bytes are base64', async () => {
    const { tools } = register();
    server.answers.set('DELETE /v1/pets/1', { status: 204 });
    server.answers.set('HEAD /v1/pets/1', { headers: { 'x-size': '3' } });
    server.answers.set('POST /v1/forms', { headers: { 'content-type': 'text/plain' }, body: 'thanks' });
    server.answers.set('GET /v1/pets/1', { headers: { 'content-type': 'image/png' }, body: 'abc' });
    expect(await callTool(tools, 'deletePet', { id: '1' })).toMatchObject({ value: null });
    expect(await callTool(tools, 'headPet', { id: '1' })).toMatchObject({
      value: { status: 200, headers: { 'x-size': '3' } },
    });
    expect(await callTool(tools, 'sendForm', { body: { a: 'x y', b: [1, 2] } })).toMatchObject({
      value: 'thanks',
    });
    expect(server.seen.at(-1)?.body).toBe('a=x+y&b=1&b=2');
    expect(await callTool(tools, 'get_pets_id', { id: '1' })).toMatchObject({
      value: { mimeType: 'image/png', base64: 'YWJj' },
    });
  });

  it('a status that is no success fails the call with what the server said; a flood is cut off', async () => {
    const { tools } = register({ maxResponseBytes: 10 });
    answer('GET /v1/pets/1', 'no', { status: 409 });
    expect((await callTool(tools, 'get_pets_id', { id: '1' })).error?.message).toBe(
      'GET /pets/{id} was answered with 409 Conflict: "no"',
    );
    answer('GET /v1/pets/1', 'a long text');
    expect((await callTool(tools, 'get_pets_id', { id: '1' })).error?.message).toMatch(/at most 10 bytes/);
    server.answers.set('GET /v1/pets/1', { body: '{' });
    expect((await callTool(tools, 'get_pets_id', { id: '1' })).error?.message).toMatch(
      /it says that it is JSON/,
    );
  });

  it('a reference out of the document refuses its own operation only', async () => {
    const { tools } = register();
    expect((await callTool(tools, 'elsewhere', {})).error?.message).toMatch(/other\.json#\/Pet/);
    expect(tools.describe().schemas).toHaveLength(7);
  });
});

describe('where requests go', () => {
  it('the host’s credentials are added, and no program can set or see them', async () => {
    const { tools } = register({
      authorize: ({ url, method }, { operationId }, exec) => ({
        headers: { authorization: `Bearer ${method} ${operationId} ${exec.callId}` },
        query: { key: url.pathname.length.toString() },
      }),
    });
    answer('DELETE /v1/pets/1', null);
    expect(await callTool(tools, 'deletePet', { id: '1' })).toMatchObject({ value: null });
    expect(server.seen[0]).toMatchObject({
      line: 'DELETE /v1/pets/1?key=10',
      headers: { authorization: 'Bearer DELETE deletePet c1' },
    });
  });

  it('a server of the document that is not allowed gets no request', async () => {
    const documentOf = (url: string) => ({
      ...pets,
      servers: [{ url, variables: { v: { default: 'v1' } } }],
    });
    const allowedUrls = [`${server.url}/v1`];
    for (const url of [
      'https://evil.example',
      `${server.url}/v10`,
      `${server.url.replace('//', '//u:p@')}/v1`,
    ]) {
      const { tools } = register({ baseUrl: undefined, allowedUrls }, documentOf(url));
      expect((await callTool(tools, 'deletePet', { id: '1' })).error?.message).toMatch(
        /not an allowed address$/,
      );
    }
    const relative = register({ baseUrl: undefined, allowedUrls });
    expect((await callTool(relative.tools, 'deletePet', { id: '1' })).error?.message).toMatch(
      /no whole address/,
    );
    expect(server.seen).toEqual([]);
    const { tools } = register({ baseUrl: undefined, allowedUrls }, documentOf(`${server.url}/{v}`));
    answer('DELETE /v1/pets/1', null);
    expect(await callTool(tools, 'deletePet', { id: '1' })).toMatchObject({ isError: false });
  });

  it('a redirection is followed to an allowed address, for reading only', async () => {
    const { tools } = register();
    const other = await testServer();
    try {
      const redirect = (location: string) => ({ status: 302, headers: { location } });
      answer('GET /v1/pets/2', 'two');
      server.answers.set('GET /v1/pets/1', redirect('/v1/pets/2'));
      expect(await callTool(tools, 'get_pets_id', { id: '1' })).toMatchObject({ value: 'two' });
      server.answers.set('GET /v1/pets/1', redirect(`${other.url}/v1/pets/2`));
      expect((await callTool(tools, 'get_pets_id', { id: '1' })).error?.message).toMatch(
        /not an allowed address$/,
      );
      server.answers.set('GET /v1/pets/1', redirect('/v1/pets/1'));
      expect((await callTool(tools, 'get_pets_id', { id: '1' })).error?.message).toMatch(
        /redirected too often/,
      );
      server.answers.set('DELETE /v1/pets/1', redirect('/v1/pets/2'));
      expect((await callTool(tools, 'deletePet', { id: '1' })).error?.message).toMatch(/for reading only/);
      expect(other.seen).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('options and documents without a meaning are refused at once', () => {
    const refused: [unknown, object][] = [
      [{ swagger: '2.0' }, { baseUrl: 'https://a.example' }],
      [{ openapi: '4.0.0' }, { baseUrl: 'https://a.example' }],
      [null, { baseUrl: 'https://a.example' }],
      [pets, {}],
      [pets, { baseUrl: '/v1' }],
      [pets, { allowedUrls: [] }],
      [pets, { baseUrl: 'file:///etc' }],
      [pets, { baseUrl: 'https://a.example', maxResponseBytes: 0 }],
    ];
    for (const [document, options] of refused)
      expect(() => openApiTools(document, options)).toThrow(TypeError);
  });

  it('OpenAPI 3.1: schemas are JSON Schema 2020-12, references beside other keywords count', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Docs' },
      paths: {
        '/a': {
          post: {
            requestBody: {
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/A', required: ['y'] } },
              },
            },
            responses: {},
          },
        },
      },
      components: {
        schemas: {
          A: {
            type: ['object', 'null'],
            properties: { x: { const: 1 }, nullable: { type: 'string' }, $ref: { type: 'string' } },
          },
        },
      },
    };
    const { tools } = register({}, document);
    answer('POST /v1/a', { any: true });
    expect(await callTool(tools, 'post_a', { body: { x: 1, y: 2 } })).toMatchObject({ value: { any: true } });
    for (const body of [{ x: 1 }, { x: 2, y: 2 }, { y: 1, nullable: null }]) {
      expect((await callTool(tools, 'post_a', { body })).error?.info?.code).toBe('INVALID_ARGS');
    }
  });
});
