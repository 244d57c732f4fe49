import { Controller, Delete, Get, Param, Post, Query, type Type } from '@nestjs/common';
import { IsString } from 'class-validator';
import { declaredRoutes } from './declared-routes.js';
import { Operation } from '../request/operation.decorator.js';
import { Roles } from '../request/roles.guard.js';
import { needsWithoutOperation } from '../request/route-table.js';

class CatPath {
  @IsString()
  id!: string;
}

class CatsQuery {
  @IsString()
  colour!: string;
}

const JSON_DONE = { 200: { description: 'Done.', content: { 'application/json': { type: {} } } } };

@Controller('cats')
class CatsController {
  @Get()
  @Operation({ name: 'cat-list', responses: JSON_DONE })
  listCats(@Query() _query: CatsQuery): void {}

  @Get(':id')
  @Operation({ name: 'cat-detail', responses: JSON_DONE, cacheable: true })
  getCat(@Param() _path: CatPath): void {}

  @Delete(':id')
  @Roles('editor')
  @Operation({ name: 'cat-detail', responses: { 204: { description: 'Gone.' } } })
  deleteCat(@Param() _path: CatPath): void {}

  notAHandler(): void {}
}

const routesOf =
  (...controllers: Type[]) =>
  () =>
    declaredRoutes(controllers);

describe('declaredRoutes', () => {
  const [list, detail] = declaredRoutes([CatsController]);

  it('reads path, name and methods from the handlers', () => {
    expect(list).toMatchObject({ name: 'cat-list', path: '/cats/', operations: { GET: { id: 'listCats' } } });
    expect(detail).toMatchObject({ name: 'cat-detail', path: '/cats/{id}/' });
    expect(Object.keys(detail!.operations)).toEqual(['GET', 'DELETE']);
  });

  it('reads the input classes from the arguments', () => {
    expect(list!.operations.GET).toMatchObject({ query: CatsQuery, body: undefined });
    expect(list!.parameters).toBeUndefined();
    expect(detail!.parameters).toBe(CatPath);
  });

  it('reads the access rule of an operation from its declaration', () => {
    expect(list!.operations.GET!.needs).toBe('nothing');
    expect(detail!.operations.DELETE!.needs).toBe('token');
    expect(needsWithoutOperation(detail!, 'OPTIONS')).toBe('nothing');
  });

  it('requires a token for a write that the route does not have', () => {
    expect(needsWithoutOperation(detail!, 'PUT')).toBe('token');
    expect(needsWithoutOperation(list!, 'PUT')).toBe('token');
    expect(needsWithoutOperation(list!, 'PATCH')).toBe('nothing');
  });

  it('offers the media types of the success response, or of problems when it has no body', () => {
    expect(list!.operations.GET!.produces).toEqual([{ mediaType: 'application/json' }]);
    expect(detail!.operations.DELETE!.produces).toEqual([
      { mediaType: 'application/json' },
      { mediaType: 'application/problem+json' },
    ]);
  });

  it('supports a path without a trailing slash, and all paths below a path', () => {
    @Controller('files')
    class FilesController {
      @Get()
      @Operation({ name: 'files', below: { name: 'all-files', except: ['private'] } })
      getPage(): void {}

      @Get('icon.svg')
      @Operation({ name: 'icon', trailingSlash: false })
      getIcon(): void {}
    }
    const routes = declaredRoutes([FilesController]);
    expect(routes.map(({ name, path }) => [name, path])).toEqual([
      ['files', '/files/'],
      ['all-files', '/files/*'],
      ['icon', '/files/icon.svg'],
    ]);
    expect(routes[1]).toMatchObject({ handledAt: '/files/', except: ['private'] });
  });

  it('refuses a handler without a declaration', () => {
    @Controller()
    class Undeclared {
      @Get()
      list(): void {}
    }
    expect(routesOf(Undeclared)).toThrow(
      'Undeclared.list handles requests, but does not declare its @Operation().',
    );
  });

  it('refuses a second handler, and a second name of a path', () => {
    @Controller('cats')
    class Again {
      @Get()
      @Operation({ name: 'cat-list' })
      list(): void {}
    }
    @Controller('cats')
    class Renamed {
      @Post()
      @Operation({ name: 'kittens' })
      create(): void {}
    }
    expect(routesOf(CatsController, Again)).toThrow('Again.list is a second handler of GET /cats/.');
    expect(routesOf(CatsController, Renamed)).toThrow('Renamed.create gives /cats/ a second name: kittens.');
  });

  it('refuses a handler that writes and does not name a role', () => {
    @Controller('open')
    class OpenController {
      @Delete()
      @Operation({ name: 'open' })
      remove(): void {}
    }
    expect(routesOf(OpenController)).toThrow('OpenController.remove does not say who may call it: @Roles().');
  });
});
