import { COMPONENT_NAME, type Response } from './document-types.js';
import { modernSchemas, shareComponents } from './shared-components.js';

const operation = (response: Response, operationId = 'getCat') => ({
  operationId,
  responses: { 200: response },
});
const named = (name: string, description: string) => ({ [COMPONENT_NAME]: name, description });

describe('shareComponents', () => {
  it('moves each named part to the components, once', () => {
    const { paths, components } = shareComponents(
      { '/': { get: operation(named('Fine', 'It is.')), put: operation(named('Fine', 'It is.')) } },
      {},
    );
    const reference = { $ref: '#/components/responses/Fine' };
    expect(paths['/']).toEqual({ get: operation(reference as never), put: operation(reference as never) });
    expect(components.responses).toEqual({ Fine: { description: 'It is.' } });
  });

  it('gives the name to the most common part, and prefixes the others with their operation', () => {
    const { paths, components } = shareComponents(
      {
        '/': {
          get: operation(named('Fine', 'One.'), 'getCat'),
          put: operation(named('Fine', 'Two.'), 'replaceCat'),
          post: operation(named('Fine', 'Three.'), 'createCat'),
          delete: operation(named('Fine', 'Two.'), 'deleteCat'),
        },
      },
      {},
    );
    expect(components.responses).toEqual({
      Fine: { description: 'Two.' },
      GetCatFine: { description: 'One.' },
      CreateCatFine: { description: 'Three.' },
    });
    expect(paths['/']!.get!.responses['200']).toEqual({ $ref: '#/components/responses/GetCatFine' });
  });

  it('leaves unnamed parts in place', () => {
    const get = operation({ description: 'It is.' });
    expect(shareComponents({ '/': { get } }, {}).paths['/']).toEqual({ get });
  });

  it('keeps only referenced schemas, including those that other schemas reference', () => {
    const schemas = {
      Cat: { type: 'object', properties: { paws: { $ref: '#/components/schemas/Paw' } } },
      Paw: { type: 'string' },
      Dog: { type: 'object' },
    };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Cat' } } };
    const { components } = shareComponents(
      { '/': { get: operation({ description: 'A cat.', content }) } },
      schemas,
    );
    expect(Object.keys(components.schemas!)).toEqual(['Cat', 'Paw']);
  });
});

describe('modernSchemas', () => {
  it('converts example to examples, and an object without properties to an empty schema', () => {
    const Cat = {
      type: 'object',
      properties: { name: { type: 'string', example: 'Tom' }, toys: { type: 'object' } },
    };
    expect(modernSchemas({ Cat })).toEqual({
      Cat: { type: 'object', properties: { name: { type: 'string', examples: ['Tom'] }, toys: {} } },
    });
  });
});
