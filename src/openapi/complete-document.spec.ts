import type { OpenAPIObject } from '@nestjs/swagger';
import type { Route } from '../http/route.js';
import { completePaths } from './complete-document.js';
import type { Operation } from './document-types.js';

const JSON_ONLY = { produces: [{ mediaType: 'application/json' }] };
const SETTINGS: Parameters<typeof completePaths>[3] = {
  apiTokens: [],
  publicUrl: undefined,
  corsOrigins: [],
  maxBodyBytes: 1_000,
  rateLimitPerMinute: undefined,
};

const cats: Route = { name: 'cat-list', path: '/cats/', operations: { GET: JSON_ONLY, POST: JSON_ONLY } };
const cat: Route = { name: 'cat-detail', path: '/cats/{id}/', operations: { GET: JSON_ONLY } };

function handler(operationId: string, rest: Partial<Operation> = {}): Operation {
  return {
    operationId,
    tags: ['cats'],
    summary: 'Do it',
    responses: { 200: { description: 'Done.', content: { 'application/json': {}, 'text/csv': {} } } },
    ...rest,
  };
}

function complete(
  paths: OpenAPIObject['paths'],
  routes: readonly Route[],
  settings: Partial<typeof SETTINGS> = {},
): OpenAPIObject['paths'] {
  return completePaths(paths, {}, routes, { ...SETTINGS, ...settings });
}

describe('completePaths', () => {
  it('gives a path its closing slash and its name', () => {
    const paths = complete({ '/cats': { get: handler('listCats') } }, [cats]);
    expect(paths).toMatchObject({
      '/cats/': { 'x-route-name': 'cat-list', get: { operationId: 'listCats' } },
    });
  });

  it('adds HEAD, without bodies, and OPTIONS, in a group of their own', () => {
    const { head, options } = complete({ '/cats': { get: handler('listCats') } }, [cats])['/cats/']!;
    expect(head).toMatchObject({ operationId: 'headCats', tags: ['head-and-options'] });
    expect(JSON.stringify(head!.responses)).not.toContain('content"');
    expect(options).toMatchObject({ operationId: 'optionsCats', tags: ['head-and-options'] });
    expect(Object.keys(options!.responses)).toEqual(['204', '400', '401', '403', '503']);
  });

  it('gives OPTIONS the parameters of the path', () => {
    const id = { name: 'id', in: 'path' as const, required: true, schema: {} };
    const paths = complete({ '/cats/{id}': { get: handler('getCat', { parameters: [id] }) } }, [cat]);
    expect(paths['/cats/{id}/']!.options!.parameters).toContainEqual(id);
  });

  it('leaves out what no route knows', () => {
    const paths = complete({ '/cats': { get: handler('listCats') }, '/dogs': { get: handler('listDogs') } }, [
      cats,
    ]);
    expect(Object.keys(paths)).toEqual(['/cats/']);
    expect(paths['/cats/']!.post).toBeUndefined();
  });

  it('has those media types only that the route produces', () => {
    const { get } = complete({ '/cats': { get: handler('listCats') } }, [cats])['/cats/']!;
    expect(get!.responses['200']).toMatchObject({ content: { 'application/json': {} } });
    expect(get!.responses['200']).not.toHaveProperty(['content', 'text/csv']);
  });

  it('has what stands before the handler, unless the handler says it better', () => {
    const notFound = { description: 'There is no such cat.' };
    const route: Route = { ...cat, hasTarget: () => true };
    const responses = { 404: notFound };
    const { get } = complete({ '/cats/{id}': { get: handler('getCat', { responses }) } }, [route])[
      '/cats/{id}/'
    ]!;
    expect(Object.keys(get!.responses)).toEqual(['400', '401', '403', '404', '406', '500', '503']);
    expect(get!.responses['404']).toMatchObject(notFound);
  });

  it('knows what writing brings along', () => {
    const route: Route = {
      ...cats,
      operations: { POST: { ...JSON_ONLY, consumes: ['application/json'] } },
      writesNeedToken: true,
    };
    const { post } = complete({ '/cats': { post: handler('createCat') } }, [route])['/cats/']!;
    expect(Object.keys(post!.responses)).toEqual(
      expect.arrayContaining(['401', '403', '406', '408', '413', '415']),
    );
    expect(post!.security).toEqual([{}, { bearer: [] }]);
  });

  it('joins the examples of problems that the handler and what stands before it answer with', () => {
    const problems = (examples: object) => ({
      description: 'It has a fault.',
      content: { 'application/problem+json': { schema: {}, examples: examples as never } },
    });
    const responses = { 400: problems({ faultyCat: { value: {} } }) };
    const { get } = complete({ '/cats': { get: handler('listCats', { responses }) } }, [cats])['/cats/']!;
    expect(get!.responses['400']).toMatchObject({
      description: 'It has a fault.',
      content: { 'application/problem+json': { examples: { faultyCat: {}, malformedHost: {} } } },
    });
  });

  it('limits all with RATE_LIMIT, but for those who operate the service', () => {
    const limitedPaths = (isOperational: boolean) =>
      JSON.stringify(
        complete({ '/cats': { get: handler('listCats') } }, [{ ...cats, isOperational }], {
          rateLimitPerMinute: 10,
        }),
      );
    expect(limitedPaths(false)).toMatch(/"429".*RateLimit/);
    expect(limitedPaths(true)).not.toMatch(/429|RateLimit/);
  });
});
