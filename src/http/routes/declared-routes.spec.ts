import { Controller, Delete, Get, Post, Query, RawBody, type Type } from '@nestjs/common';
import { declaredRoutes } from './declared-routes.js';
import { Access } from './access.js';
import { Operation, operationFor } from './operation.js';

const CAT = { type: { type: 'object' } } as const;

@Controller('cats')
class CatsController {
  @Get()
  @Access({ anyone: 'A test.' })
  @Operation({ name: 'cat-list' })
  listCats(): void {}

  @Delete(':id')
  @Access({ role: 'editor', token: 'if-configured' })
  @Operation({ name: 'cat-detail', responses: { 204: { description: 'Gone.' } } })
  deleteCat(): void {}
}

// The service itself proves the rest: its OpenAPI document is made of the routes, and enhancers.http.e2e.ts has a handler without
// @Access().
describe('declaredRoutes', () => {
  it('reads the access rule of an operation, and offers problems too where the success has no body', () => {
    const [list, detail] = declaredRoutes([CatsController]);
    expect(list!.methods.GET!.operations[0]).toMatchObject({ access: { anyone: 'A test.' } });
    const produces = [{ mediaType: 'application/json' }, { mediaType: 'application/problem+json' }];
    expect(detail!.methods.DELETE!.operations[0]).toMatchObject({
      access: { role: 'editor', token: 'if-configured' },
      produces,
    });
  });

  it('reads the handlers that a controller inherits', () => {
    @Controller('dogs')
    class DogsController extends CatsController {}
    expect(declaredRoutes([DogsController]).map(({ path }) => path)).toEqual(['/dogs/', '/dogs/{id}/']);
  });

  it('reads several handlers of a method, which requests tell apart by the media type of their body', () => {
    @Controller('cats')
    class CatImportsController {
      @Post()
      @Access({ role: 'editor', token: 'if-configured' })
      @Operation({ name: 'cat-list', body: { content: { 'application/json': CAT } } })
      createCat(): void {}

      @Post()
      @Access({ role: 'editor', token: 'if-configured' })
      @Operation({ name: 'cat-list', streams: ['text/csv'] })
      importCats(): void {}
    }
    const { POST } = declaredRoutes([CatImportsController])[0]!.methods;
    expect(POST!.consumes).toEqual(['application/json', 'text/csv']);
    const [create, imports] = POST!.operations;
    expect(operationFor(POST!, undefined, 'Text/CSV; charset=utf-8')).toBe(imports);
    expect(operationFor(POST!, undefined, 'application/json')).toBe(create);
    // The first refuses it.
    expect(operationFor(POST!, undefined, 'text/plain')).toBe(create);
    expect(operationFor(POST!, undefined, undefined)).toBe(create);
  });

  const anyone = Access({ anyone: 'A test.' });

  @anyone
  @Controller('untyped')
  class Untyped {
    @Get()
    @Operation({ name: 'untyped' })
    list(@Query() _query: object): void {}
  }
  @anyone
  @Controller('wild')
  class Wild {
    @Get('*path')
    @Operation({ name: 'wild' })
    list(): void {}
  }
  @anyone
  @Controller('cats')
  class Again {
    @Get()
    @Operation({ name: 'cat-list' })
    list(): void {}
  }
  @Controller('cats')
  class Renamed {
    @Post()
    @anyone
    @Operation({ name: 'kittens' })
    create(): void {}
  }
  @anyone
  @Controller('open')
  class OpenToWrites {
    @Delete()
    @Operation({ name: 'open' })
    remove(): void {}
  }
  @Access({ session: 'viewer' })
  @Controller('cached')
  class Cached {
    @Get()
    @Operation({ name: 'cached', cacheable: true })
    read(): void {}
  }

  @Controller('raw')
  class Raw {
    @Post()
    take(@RawBody() _body: Buffer): void {}
  }

  it.each<[string, Type]>([
    ['Raw.take takes a @RawBody(), which is never set', Raw],
    ['Untyped.list has an argument whose class has no rules, or is imported as a type.', Untyped],
    ['Wild.list has an @Operation(), which takes one path without a wildcard', Wild],
    [
      'Again.list is a second handler of GET /cats/ that takes, or else produces, the same media types.',
      Again,
    ],
    ['Renamed.create gives /cats/ a second name: kittens.', Renamed],
    ['OpenToWrites.remove writes, and only its controller says that anyone may call it', OpenToWrites],
    ['Cached.read is cacheable, so that no guard sees its requests', Cached],
  ])('refuses a contradiction: %s', (fault, controller) => {
    expect(() => declaredRoutes([CatsController, controller])).toThrow(fault);
  });
});
