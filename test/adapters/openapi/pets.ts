import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server saw of one request. */
export interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** How the next requests are answered, by method and path. */
  readonly answers: Map<string, { status?: number; headers?: Record<string, string>; body?: string }>;
  close(): Promise<void>;
}

/** A server that answers what a test told it, else 404. */
export async function testServer(): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const answers: TestServer['answers'] = new Map();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    const known = answers.get(`${request.method} ${request.url?.split('?')[0]}`);
    response.writeHead(known?.status ?? (known ? 200 : 404), {
      'content-type': 'application/json',
      ...known?.headers,
    });
    response.end(known?.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const pet = {
  type: 'object',
  required: ['id', 'name', 'secret'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    secret: { type: 'string', writeOnly: true },
    tag: { type: 'string', nullable: true },
    parent: { $ref: '#/components/schemas/Pet' },
    age: { type: 'number', minimum: 0, exclusiveMinimum: true },
  },
};

/** An OpenAPI 3.0 document. */
export const pets = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: '/v1' }],
  paths: {
    '/pets': {
      parameters: [{ $ref: '#/components/parameters/Trace' }],
      get: {
        operationId: 'listPets',
        summary: 'Lists pets.',
        parameters: [
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
          { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'pets',
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
            },
          },
        },
      },
      post: {
        operationId: 'createPet',
        requestBody: {
          required: true,
          content: {
            'application/xml': { schema: { type: 'string' } },
            'application/json': { schema: { $ref: '#/components/schemas/Pet' } },
          },
        },
        responses: {
          201: {
            description: 'made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
        },
      },
    },
    '/pets/{id}': {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'id', in: 'query', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'any' } },
      },
      delete: {
        operationId: 'deletePet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 204: { description: 'gone' } },
      },
      head: {
        operationId: 'headPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'there' } },
      },
    },
    '/forms': {
      post: {
        operationId: 'sendForm',
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                properties: { a: { type: 'string' }, b: { type: 'array', items: {} } },
              },
            },
          },
        },
        responses: { default: { description: 'any', content: { 'text/plain': {} } } },
      },
    },
    '/elsewhere': {
      get: {
        operationId: 'elsewhere',
        responses: {
          200: { description: '', content: { 'application/json': { schema: { $ref: 'other.json#/Pet' } } } },
        },
      },
    },
  },
  components: {
    schemas: { Pet: pet },
    parameters: { Trace: { name: 'X-Trace', in: 'header', schema: { type: 'string' } } },
  },
};
