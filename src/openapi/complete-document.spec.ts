import { Body, Controller, Get, Param, Post, type Type } from '@nestjs/common';
import { IsString } from 'class-validator';
import { declaredRoutes } from '../http/pipeline/declared-routes.js';
import { Operation, type OperationDeclaration } from '../http/pipeline/operation.decorator.js';
import type { Route, RouteOperation } from '../http/pipeline/route-table.js';
import { NotFound } from '../problem-details/problems.js';
import { completePaths, documentedRoutes } from './complete-document.js';
import type { PathItem } from './document-types.js';
import { ProblemResponses } from './problem-response.js';
import { Roles } from '../http/request/roles.js';

const JSON_TEXT = { 'application/json': { type: { type: 'string' } } } as const;
const DONE = { 200: { description: 'Done.', content: JSON_TEXT } };

class Cat {
  @IsString()
  name!: string;
}

class CatPath {
  @IsString()
  id!: string;
}

function catsWith(declaration: Partial<OperationDeclaration> = {}): Type {
  @Controller('cats')
  class CatsController {
    @Get()
    @Operation({ name: 'cat-list', summary: 'List cats', responses: DONE, ...declaration })
    listCats(): void {}
  }
  return CatsController;
}

function catWith(declaration: Partial<OperationDeclaration> = {}): Type {
  @Controller('cats')
  class CatController {
    @Get(':id')
    @Operation({ name: 'cat-detail', summary: 'Read a cat', responses: DONE, ...declaration })
    getCat(@Param() _path: CatPath): void {}
  }
  return CatController;
}

const SCHEMAS = { CatPath: { properties: { id: { type: 'string', description: 'The cat.' } } } };

function complete(controller: Type): Record<string, PathItem> {
  const routes = declaredRoutes([controller]);
  const urlOf = (name: string): string => `http://127.0.0.1/${name}`;
  return completePaths(routes, {
    schemas: SCHEMAS,
    maxBodyBytes: 1_000,
    problemResponses: new ProblemResponses(urlOf),
    tagsOf: () => ['cats'],
  });
}

describe('completePaths', () => {
  it('adds HEAD without response bodies, and OPTIONS, both under their own tag', () => {
    const { head, options } = complete(catsWith())['/cats/']!;
    expect(head).toMatchObject({ operationId: 'headCats', tags: ['head-and-options'] });
    expect(JSON.stringify(head!.responses)).not.toContain('content"');
    expect(options).toMatchObject({ operationId: 'optionsCats', tags: ['head-and-options'] });
    expect(Object.keys(options!.responses)).toEqual(['204', '400', '401', '403', '429', '503']);
  });

  it('has the pipeline’s responses, unless the handler declares its own', () => {
    const problems = { catNotFound: new NotFound('There is no such cat.') };
    const { get } = complete(catWith({ problems }))['/cats/{id}/']!;
    expect(Object.keys(get!.responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '406',
      '429',
      '500',
      '503',
    ]);
    expect(get!.responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
  });

  it('adds the responses and the security of a write', () => {
    @Controller('cats')
    class CatsController {
      @Post()
      @Roles('editor')
      @Operation({
        name: 'cat-list',
        summary: 'Store a cat',
        body: { content: JSON_TEXT },
        responses: { 201: DONE[200] },
      })
      createCat(@Body() _cat: Cat): void {}
    }
    const { post } = complete(CatsController)['/cats/']!;
    expect(Object.keys(post!.responses)).toEqual(
      expect.arrayContaining(['401', '403', '406', '408', '413', '415']),
    );
    expect(post!.security).toEqual([{}, { bearer: [] }]);
  });
});

const operations = (summary?: string): Route['operations'] => ({
  GET: { declaration: { name: 'x', ...(summary !== undefined && { summary }) } } as RouteOperation,
});
const route = (path: string, summary: string | undefined = 'Read it'): Route => ({
  name: path,
  path,
  operations: operations(summary),
});

describe('documentedRoutes', () => {
  const cats = route('/cats/');
  const sessions = route('/admin/api/sessions/');
  const routes = [
    cats,
    route('/admin/'),
    route('/admin/*'),
    sessions,
    route('/admin/api/*'),
    { ...route('/files/{name}'), operations: operations() },
  ];

  it('leaves the administration out of the public document', () => {
    expect(documentedRoutes(routes)).toEqual([cats]);
  });
});
