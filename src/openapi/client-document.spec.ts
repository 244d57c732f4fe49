import { clientDocument } from './client-document.js';

// test/http/docs.http.e2e.ts has the document of the service.
describe('clientDocument', () => {
  it('leaves the fields of a schema as they are, whatever they are called', () => {
    const $ref = '#/components/schemas/Note';
    const schemas = {
      Note: {
        type: 'object',
        properties: Object.fromEntries(
          ['get', 'content', 'schema', 'pattern', 'parameters', '303'].map((name) => [
            name,
            { type: 'string', pattern: '^[a-z]+$' },
          ]),
        ),
      },
    };
    const content = { 'application/json': { schema: { $ref } } };
    const paths = {
      '/notes/': { get: { parameters: [], responses: { 200: { description: 'Notes.', content } } } },
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      paths,
      components: { schemas },
    };
    const client = clientDocument(document);
    expect(client.components!.schemas).toEqual(schemas);
    expect(client.paths).toEqual(paths);
  });
});
