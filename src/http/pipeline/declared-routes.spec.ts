import {
  type CallHandler,
  Controller,
  Delete,
  Get,
  Param,
  Patch,
  Post,
  Query,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { IsString } from 'class-validator';
import { ApiResponse } from '../response/api-response.js';
import { assertNothingBypassed, declaredRoutes } from './declared-routes.js';
import { Operation } from './operation.decorator.js';
import { accessRuleOf } from './route-table.js';

class CatPath {
  @IsString()
  id!: string;
}

class CatsQuery {
  @IsString()
  colour!: string;
}

class Gate {
  canActivate(): boolean {
    return true;
  }

  intercept(_context: unknown, next: CallHandler): ReturnType<CallHandler['handle']> {
    return next.handle();
  }
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
  @Operation({ name: 'cat-detail', access: 'write', responses: { 204: { description: 'Gone.' } } })
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
    expect(list!.operations.GET!.input).toMatchObject({ query: CatsQuery, body: undefined });
    expect(list!.parameters).toBeUndefined();
    expect(detail!.parameters).toBe(CatPath);
  });

  it('reads the access rule of an operation from its declaration', () => {
    expect(accessRuleOf(list!.operations.GET)).toEqual({ needs: 'nothing', role: undefined });
    expect(accessRuleOf(detail!.operations.DELETE)).toEqual({ needs: 'token', role: 'editor' });
    expect(accessRuleOf(detail!.operations.PUT)).toEqual({ needs: 'nothing', role: undefined });
  });

  it('offers the media types of the success response, or of problems when it has no body', () => {
    expect(list!.operations.GET!.produces).toEqual([{ mediaType: 'application/json' }]);
    expect(detail!.operations.DELETE!.produces).toEqual([
      { mediaType: 'application/json' },
      { mediaType: 'application/problem+json' },
    ]);
  });

  it('responds with 204 when a handler returns undefined', () => {
    const { respond } = detail!.operations.DELETE!;
    expect(respond(undefined as never, undefined as never)).toEqual(new ApiResponse({ status: 204 }));
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

  it('refuses a declaration without a handler', () => {
    @Controller()
    class Unhandled {
      @Operation({ name: 'nothing' })
      list(): void {}
    }
    expect(routesOf(Unhandled)).toThrow('Unhandled.list declares an operation, but no method and path');
  });

  it('refuses a method that the service does not have', () => {
    @Controller()
    class Patching {
      @Patch()
      @Operation({ name: 'patch' })
      patch(): void {}
    }
    expect(routesOf(Patching)).toThrow('Patching.patch handles PATCH, which no route of this service has.');
  });

  it('refuses a second handler, a second name of a path and a second path of a name', () => {
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
    @Controller('dogs')
    class Borrowed {
      @Get()
      @Operation({ name: 'cat-list' })
      list(): void {}
    }
    expect(routesOf(CatsController, Again)).toThrow('Again.list is a second handler of GET /cats/.');
    expect(routesOf(CatsController, Renamed)).toThrow('Renamed.create gives /cats/ a name');
    expect(routesOf(CatsController, Borrowed)).toThrow('Borrowed.list gives /dogs/ a name');
  });

  it('refuses an argument without a class', () => {
    @Controller()
    class Untyped {
      @Get()
      @Operation({ name: 'untyped' })
      list(@Query() _query: unknown): void {}
    }
    expect(routesOf(Untyped)).toThrow('Untyped.list takes an argument without a class');
  });

  it('refuses an argument for a single named parameter', () => {
    @Controller()
    class ByName {
      @Get(':id')
      @Operation({ name: 'by-name' })
      get(@Param('id') _id: string): void {}
    }
    expect(routesOf(ByName)).toThrow('ByName.get takes "id" alone; take all by a class');
  });

  it.each([
    ['guard', UseGuards(Gate)],
    ['interceptor', UseInterceptors(Gate)],
  ])('refuses a %s that cached responses would bypass', (_kind, decorator) => {
    @Controller()
    class Guarded {
      @Get()
      @Operation({ name: 'guarded', cacheable: true })
      list(): void {}
    }
    (decorator as ClassDecorator)(Guarded);
    expect(routesOf(Guarded)).toThrow(
      'Gate stands before Guarded.list, whose operation is cacheable: cached responses would bypass it.',
    );
  });

  it('accepts a guard on an operation that is not cacheable', () => {
    @UseGuards(Gate)
    @Controller()
    class Guarded {
      @Get()
      @Operation({ name: 'guarded' })
      list(): void {}
    }
    expect(routesOf(Guarded)).not.toThrow();
  });
});

describe('assertNothingBypassed', () => {
  it('refuses a global guard or interceptor when any operation is cacheable', () => {
    const routes = declaredRoutes([CatsController]);
    expect(() => assertNothingBypassed(routes, [])).not.toThrow();
    expect(() => assertNothingBypassed(routes, [new Gate()])).toThrow('(Gate) stands before getCat');
  });
});
