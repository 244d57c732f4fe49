import { Controller, Delete, Get, Post, Query, RawBody, type Type } from '@nestjs/common';
import { declaredRoutes } from './declared-routes.js';
import { Operation } from '../../openapi/operation.decorator.js';
import { Roles } from '../access/roles.guard.js';

@Controller('cats')
class CatsController {
  @Get()
  @Operation({ name: 'cat-list' })
  listCats(): void {}

  @Delete(':id')
  @Roles('editor')
  @Operation({ name: 'cat-detail', responses: { 204: { description: 'Gone.' } } })
  deleteCat(): void {}
}

// The service itself proves the rest: its OpenAPI document is made of the routes.
describe('declaredRoutes', () => {
  it('reads the access rule of an operation, and offers problems too where the success has no body', () => {
    const [list, detail] = declaredRoutes([CatsController]);
    expect(list!.operations.GET).toMatchObject({ needs: 'nothing' });
    const produces = [{ mediaType: 'application/json' }, { mediaType: 'application/problem+json' }];
    expect(detail!.operations.DELETE).toMatchObject({ needs: 'token', role: 'editor', produces });
  });

  it('reads the handlers that a controller inherits', () => {
    @Controller('dogs')
    class DogsController extends CatsController {}
    expect(declaredRoutes([DogsController]).map(({ path }) => path)).toEqual(['/dogs/', '/dogs/{id}/']);
  });

  @Controller('untyped')
  class Untyped {
    @Get()
    @Operation({ name: 'untyped' })
    list(@Query() _query: object): void {}
  }
  @Controller('wild')
  class Wild {
    @Get('*path')
    @Operation({ name: 'wild' })
    list(): void {}
  }
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
  @Controller('open')
  class OpenController {
    @Delete()
    @Operation({ name: 'open' })
    remove(): void {}
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
    ['Again.list is a second handler of GET /cats/.', Again],
    ['Renamed.create gives /cats/ a second name: kittens.', Renamed],
    ['OpenController.remove does not say who may call it: @Roles().', OpenController],
  ])('refuses a contradiction: %s', (fault, controller) => {
    expect(() => declaredRoutes([CatsController, controller])).toThrow(fault);
  });
});
