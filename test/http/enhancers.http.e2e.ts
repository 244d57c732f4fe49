import { jest } from '@jest/globals';
import {
  All,
  type ArgumentsHost,
  BadRequestException,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  ClassSerializerInterceptor,
  ConflictException,
  Controller,
  DefaultValuePipe,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Header,
  HttpCode,
  HttpException,
  ImATeapotException,
  MethodNotAllowedException,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestModule,
  NotFoundException,
  Param,
  ParseArrayPipe,
  ParseIntPipe,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
  ServiceUnavailableException,
  StreamableFile,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  VersioningType,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Interval, ScheduleModule } from '@nestjs/schedule';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { json, type Request, type Response } from 'express';
import { Operation } from '../../src/http/routes/operation.js';
import { Access } from '../../src/http/routes/access.js';
import { makeApp } from '../support/nest-app.js';
import { until } from '../support/until.js';

const content = { 'application/json': { type: { type: 'string' } } } as const;
const responses = { 200: { description: 'Done.', content } };

class OnlyTom implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ params: { name?: string } }>().params.name === 'tom';
  }
}

const intercepted: string[] = [];

class Noting implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    intercepted.push(context.getHandler().name);
    return next.handle();
  }
}

@Access({ anyone: 'A test.' })
@Controller('cats')
class CatsController {
  /** Cacheable, so that a response may be sent before Nest is reached. */
  @Get(':name')
  @UseGuards(OnlyTom)
  @UseInterceptors(Noting)
  @Operation({ name: 'cat-detail', responses, cacheable: true })
  getCat(@Param('name') name: string): object {
    return { name };
  }

  @Post(':name/kittens')
  @Access({ anyone: 'A test.' })
  @Operation({ name: 'kitten-list', responses, location: () => ['cat-detail'] })
  createKitten(): object {
    return {};
  }
}

let ticks = 0;

class Stamping implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    context.switchToHttp().getResponse<Response>().setHeader('X-Own', 'interceptor');
    return next.handle();
  }
}

@Catch(ImATeapotException)
class TeapotFilter implements ExceptionFilter {
  catch(_: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).send('tea');
  }
}

const THROWN: Readonly<Record<string, () => HttpException>> = {
  busy: () => new ServiceUnavailableException('Come back later.'),
  list: () => new BadRequestException(['a is missing', 'b is missing']),
  object: () => new HttpException({ status: 403, error: 'Own words', limit: 7 }, 403),
  named: () => new BadRequestException('Bad', { description: 'Own name' }),
  plain: () => new NotFoundException('There is no such dog.'),
  terminus: () => new ServiceUnavailableException({ status: 'error', detail: 'x', info: {} }),
  unauthorized: () => new UnauthorizedException('Who are you?'),
  method: () => new MethodNotAllowedException('Not like this.'),
};

/** Declares nothing of ours. */
@Access({ anyone: 'A test.' })
@Controller('plain')
class PlainController {
  @Get('page')
  page(@Query('page', new DefaultValuePipe(1), ParseIntPipe) page: number): object {
    return { page };
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('bytes'), { type: 'text/plain' });
  }

  @Get('res')
  res(@Res() response: Response): void {
    response.status(202).send('sent');
  }

  @Get('headers')
  @Header('X-Own', 'a')
  @HttpCode(203)
  headers(): string {
    return 'text';
  }

  @All('all')
  @Access({ anyone: 'A test.' })
  all(@Body('x') x: number): object {
    return { x };
  }

  @Put('many')
  @Access({ anyone: 'A test.' })
  many(@Body(new ParseArrayPipe({ items: Number })) sent: number[]): object {
    return { sent };
  }

  @Put('parsed')
  @Access({ anyone: 'A test.' })
  parsed(@Body() sent: object): object {
    return { sent };
  }

  @Patch('patch')
  @Access({ anyone: 'A test.' })
  patch(@Body('x') x: number): object {
    return { x };
  }

  @Get('thrown/:name')
  throwOne(@Param('name') name: string): void {
    throw THROWN[name]!();
  }

  @Get('files/*path')
  wildcard(@Param('path') path: string[]): object {
    return { path };
  }

  @Get('lines')
  async *lines(): AsyncGenerator<string> {
    yield 'a\n';
    yield 'b\n';
  }

  @Get('stamped')
  @UseInterceptors(Stamping)
  stamped(): void {
    throw new ConflictException('There are two.');
  }

  @Get('late')
  late(@Res() response: Response): void {
    response.send('x'.repeat(5_000_000));
    throw new Error('It fails after its response.');
  }

  @Get('tea')
  @UseFilters(TeapotFilter)
  tea(): void {
    throw new ImATeapotException();
  }

  @Get('throttled')
  @UseGuards(ThrottlerGuard)
  throttled(): string {
    return 'once';
  }

  @Interval(20)
  tick(): void {
    ticks += 1;
  }

  @Get('missing')
  missing(@Res({ passthrough: true }) response: Response): void {
    response.setHeader('X-Own', 'b');
    throw new NotFoundException('There is no such cat.');
  }
}

describe('guards, interceptors and handlers of Nest', () => {
  let url: string;

  beforeAll(async () => {
    const app = await makeApp((service) => {
      const throttler = ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1 }]);
      @Module({
        imports: [service, throttler, ScheduleModule.forRoot()],
        controllers: [CatsController, PlainController],
      })
      class TestModule implements NestModule {
        configure(consumer: MiddlewareConsumer): void {
          const middleware = (request: Request, response: Response, next: () => void): void => {
            response.setHeader('X-Query', JSON.stringify(request.query));
            next();
          };
          consumer.apply(middleware).forRoutes('plain');
          consumer.apply(json()).forRoutes('plain/parsed');
        }
      }
      return TestModule;
    });
    app.useGlobalInterceptors(new Noting());
    app.use('/used/page', (_: Request, response: Response) => void response.send('used'));
    app.use('/used/fault', () => {
      throw new Error('It breaks.');
    });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  it('apply to the handlers that declare them or, when they are global, to all, and not to cached responses', async () => {
    intercepted.length = 0;
    const tom = await fetch(`${url}/cats/tom/`);
    expect([tom.status, await tom.json()]).toEqual([200, { name: 'tom' }]);
    for (let count = 0; count < 2; count += 1) {
      const felix = await fetch(`${url}/cats/felix/`);
      const type = felix.headers.get('content-type');
      expect([felix.status, type]).toEqual([403, 'application/problem+json']);
    }
    // Once globally, and once as the handler declares it.
    expect(intercepted.splice(0)).toEqual(['getCat', 'getCat']);

    expect((await fetch(`${url}/posts/`)).status).toBe(200);
    await until(async () => {
      intercepted.length = 0;
      await fetch(`${url}/posts/`);
      return intercepted.length === 0;
    });
    expect((await fetch(`${url}/posts/?limit=0`)).status).toBe(400);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    // Nest runs interceptors before pipes.
    expect(intercepted).toEqual(['listPosts', 'getMetrics']);
  });

  it('give a Location the parameters of the path of the request', async () => {
    const { headers } = await fetch(`${url}/cats/tom/kittens/`, { method: 'POST', body: '{}' });
    expect(headers.get('Location')).toBe(`${url}/cats/tom/`);
  });

  it.each<[string, string, number, string, RequestInit?]>([
    ['GET', 'page', 200, '{"page":1}'],
    ['GET', 'page?page=7', 200, '{"page":7}'],
    ['GET', 'page?page=8', 200, '{"page":8}', { headers: { 'Content-Type': 'application/json' } }],
    ['DELETE', 'all', 200, '{}', { headers: { 'Content-Type': 'application/json' } }],
    ['GET', 'page?page=x', 400, 'Validation failed (numeric string is expected)'],
    ['GET', 'file', 200, 'bytes'],
    ['GET', 'res', 202, 'sent'],
    ['GET', 'headers', 203, 'text'],
    ['PUT', 'all', 200, '{"x":1}', { body: '{"x":1}', headers: { 'Content-Type': 'application/json' } }],
    ['POST', 'page', 405, 'POST is not allowed here'],
    ['PATCH', 'patch', 200, '{"x":1}', { body: '{"x":1}', headers: { 'Content-Type': 'application/json' } }],
    ['PATCH', 'all', 200, '{"x":1}', { body: '{"x":1}', headers: { 'Content-Type': 'application/json' } }],
    ['OPTIONS', 'all', 200, '{}'],
    [
      'PUT',
      'many',
      200,
      '{"sent":[1,2]}',
      { body: '[1,2]', headers: { 'Content-Type': 'application/json' } },
    ],
    ['PUT', 'parsed', 200, '{"sent":{}}', { body: '{}', headers: { 'Content-Type': 'application/json' } }],
    ['GET', '../used/page', 200, 'used'],
    ['GET', '../used/fault', 500, ''],
    ['GET', 'files/a/b', 200, '{"path":["a","b"]}'],
    ['GET', 'missing', 404, 'There is no such cat.'],
    ['GET', 'lines', 200, 'a\nb\n'],
    ['GET', 'stamped', 409, 'There are two.'],
    ['GET', 'tea', 418, 'tea'],
  ])(
    'serve what Nest documents, without an @Operation(): %s %s',
    async (...[method, path, status, text, init]) => {
      const response = await fetch(`${url}/plain/${path}`, { method, ...init });
      expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
      const own = { headers: 'a', missing: 'b', stamped: 'interceptor' }[path] ?? null;
      const { headers } = response;
      expect(['X-Content-Type-Options', 'X-Own'].map((name) => headers.get(name))).toEqual(['nosniff', own]);
      expect(headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/);
    },
  );

  it.each([
    ['busy', 503, { detail: 'Come back later.' }],
    ['list', 400, { detail: 'a is missing; b is missing' }],
    ['object', 403, { title: 'Forbidden', error: 'Own words', limit: 7 }],
    ['named', 400, { detail: 'Bad', error: 'Own name' }],
  ])('say in a problem what the exception says: %s', async (name, status, members) => {
    const response = await fetch(`${url}/plain/thrown/${name}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json',
    ]);
    expect(await response.json()).toMatchObject({ status, ...members });
    const plain = (await (await fetch(`${url}/plain/thrown/plain`)).json()) as object;
    expect(Object.keys(plain)).toEqual([
      'type',
      'code',
      'title',
      'status',
      'detail',
      'instance',
      'request_id',
    ]);
  });

  it.each([
    ['terminus', 503, 'Retry-After', '1'],
    ['busy', 503, 'Retry-After', '1'],
    ['unauthorized', 401, 'WWW-Authenticate', 'Bearer realm="posts"'],
    ['method', 405, 'Allow', 'GET, HEAD, OPTIONS'],
  ])('give the fields that a status needs, and keep ours: %s', async (name, status, field, value) => {
    const response = await fetch(`${url}/plain/thrown/${name}`);
    expect([response.status, response.headers.get(field)]).toEqual([status, value]);
    expect(await response.json()).toMatchObject({ status, type: 'about:blank' });
  });

  it('end a response that is complete when the handler throws after it', async () => {
    const response = await fetch(`${url}/plain/late`);
    expect((await response.text()).length).toBe(5_000_000);
  });

  it('run middleware with the query, a throttler, and schedules', async () => {
    const throttled = [await fetch(`${url}/plain/throttled`), await fetch(`${url}/plain/throttled`)];
    expect(throttled.map(({ status }) => status)).toEqual([200, 429]);
    const { headers } = await fetch(`${url}/plain/page?page=7`);
    expect(headers.get('X-Query')).toBe('{"page":"7"}');
    await until(() => ticks > 0);
  });

  it('get the query and the address of the client, each parsed once a request', async () => {
    const queries: unknown[] = [];
    @Controller('seen')
    class SeenController {
      @Post()
      @Access({ anyone: 'A test.' })
      see(@Req() request: Request): void {
        queries.push(request.query, request.query);
      }
    }
    const settings = { TRUST_PROXY: '1', RATE_LIMIT: '100' };
    const withSeen = (service: DynamicModule): DynamicModule => ({
      ...service,
      controllers: [SeenController],
    });
    const own = await makeApp(withSeen, undefined, settings);
    const isTrusted = jest.fn((_address: string | undefined, hop: number) => hop === 0);
    own.set('trust proxy fn', isTrusted);
    await own.listen(0, '127.0.0.1');
    const { status } = await fetch(`${await own.getUrl()}/seen?a=1`, {
      method: 'POST',
      // The limit of requests and the memory of the body are those of the client.
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.1, 192.0.2.2' },
      body: '{}',
    });
    expect([status, queries[0]]).toEqual([201, { a: '1' }]);
    expect(queries[1]).toBe(queries[0]);
    expect(isTrusted.mock.calls.filter(([address]) => address === '192.0.2.2')).toHaveLength(1);
  });

  it.each(['AppModule', 'a module of it'])(
    'are global after those of the service, and leave its responses as they are, in %s',
    async (place) => {
      const bodies: unknown[] = [];
      class Seeing implements CanActivate {
        canActivate(context: ExecutionContext): true {
          bodies.push(context.switchToHttp().getRequest<Request>().body);
          return true;
        }
      }
      @Catch(HttpException)
      class OwnFilter implements ExceptionFilter {
        catch(thrown: HttpException, host: ArgumentsHost): void {
          host.switchToHttp().getResponse<Response>().status(thrown.getStatus()).send('own');
        }
      }
      const providers = [
        { provide: APP_GUARD, useClass: Seeing },
        { provide: APP_FILTER, useClass: OwnFilter },
        { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
      ];
      @Module({ providers })
      class OwnModule {}
      const own = await makeApp((service) =>
        place === 'AppModule'
          ? { ...service, providers }
          : { ...service, imports: [...service.imports!, OwnModule] },
      );
      await own.listen(0, '127.0.0.1');
      const posts = `${await own.getUrl()}/posts/`;
      const body = '{"title":"a","body":"b"}';
      const headers = { 'Content-Type': 'application/json' };
      const created = await fetch(posts, { method: 'POST', body, headers });
      const post: unknown = await created.json();
      expect([created.status, post, bodies]).toMatchObject([201, { id: 1, title: 'a' }, [{ title: 'a' }]]);
      expect(await (await fetch(`${posts}1/`)).json()).toEqual(post);
      expect(await (await fetch(posts)).json()).toEqual([post]);
      expect(await (await fetch(posts, { headers: { Accept: 'application/x-ndjson' } })).json()).toEqual(
        post,
      );
      const refused = await fetch(`${posts}?limit=x`);
      expect([refused.status, await refused.text()]).toEqual([400, 'own']);
    },
  );

  it('write only with a token where API_TOKENS is set', async () => {
    @Controller('own')
    class OwnController {
      @Get()
      @Access({ anyone: 'A test.' })
      read(): string {
        return 'read';
      }

      @All()
      @Access({ role: 'editor', token: 'if-configured' })
      answer(): string {
        return 'done';
      }
    }
    const API_TOKENS = 'a'.repeat(16);
    const withOwn = (service: DynamicModule): DynamicModule => ({ ...service, controllers: [OwnController] });
    const own = await makeApp(withOwn, undefined, { API_TOKENS });
    await own.listen(0, '127.0.0.1');
    const all = `${await own.getUrl()}/own`;
    const headers = { Authorization: `Bearer ${API_TOKENS}` };
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect([method, (await fetch(all, { method })).status]).toEqual([method, 401]);
      expect((await fetch(all, { method, headers })).status).toBeLessThan(300);
    }
    expect((await fetch(all)).status).toBe(200);
  });

  it('are asked for the same token where only a middleware answers', async () => {
    const API_TOKENS = 'a'.repeat(16);
    const own = await makeApp(
      (service) => {
        @Module({ imports: [service] })
        class ReportsModule implements NestModule {
          configure(consumer: MiddlewareConsumer): void {
            const answer = (_: Request, response: Response): void => void response.send('done');
            consumer.apply(answer).forRoutes('reports');
          }
        }
        return ReportsModule;
      },
      undefined,
      { API_TOKENS },
    );
    await own.listen(0, '127.0.0.1');
    const reports = `${await own.getUrl()}/reports`;
    const headers = { Authorization: `Bearer ${API_TOKENS}` };
    expect((await fetch(reports)).status).toBe(200);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect([method, (await fetch(reports, { method })).status]).toEqual([method, 401]);
      expect([method, (await fetch(reports, { method, headers })).status]).toEqual([method, 200]);
    }
  });

  describe('with an @Access()', () => {
    @Controller('ruled')
    class RuledController {
      @Get('administrator')
      @Access({ role: 'administrator', token: 'always' })
      administrator(): string {
        return 'done';
      }

      @Post('administrator')
      @Access({ role: 'administrator', token: 'always' })
      write(): string {
        return 'done';
      }

      @Get('editor')
      @Access({ role: 'editor', token: 'always' })
      editor(): string {
        return 'done';
      }

      @Get('session')
      @Access({ session: 'viewer' })
      session(): string {
        return 'done';
      }

      @Get('declared')
      @Access({ role: 'administrator', token: 'always' })
      @Operation({ name: 'ruled', responses })
      declared(): object {
        return {};
      }
    }
    const API_TOKENS = 'a'.repeat(16);

    it.each([
      ['GET', 'administrator', [401, 401, 401, 403]],
      ['POST', 'administrator', [401, 401, 401, 403]],
      ['GET', 'editor', [401, 401, 401, 200]],
      ['GET', 'session', [401, 401, 401, 401]],
      ['GET', 'declared/', [401, 401, 401, 403]],
    ])('let in only whom it names: %s %s', async (method, path, expected) => {
      const statuses: number[] = [];
      for (const settings of [undefined, { API_TOKENS }]) {
        const controllers = [RuledController];
        const own = await makeApp((service) => ({ ...service, controllers }), undefined, settings);
        await own.listen(0, '127.0.0.1');
        for (const token of ['', `Bearer ${API_TOKENS}`]) {
          const init = {
            method,
            headers: token === '' ? [] : [['Authorization', token] as [string, string]],
          };
          const { status } = await fetch(`${await own.getUrl()}/ruled/${path}`, init);
          statuses.push(status);
        }
      }
      expect(statuses).toEqual(expected);
    });

    it('stop the start without one', async () => {
      @Controller('unruled')
      class UnruledController {
        @Get()
        read(): string {
          return 'done';
        }
      }
      const own = makeApp((service) => ({ ...service, controllers: [UnruledController] }));
      await expect(own).rejects.toThrow('UnruledController.read does not say who may call it: @Access().');
    });
  });

  it.each([
    ['search', 'GET', 'posts/search'],
    ['another parameter', 'GET', 'posts/:name'],
    ['another method', 'PATCH', 'posts/:id'],
  ] as const)('stop the start at a path that another handler declares: %s', async (_, method, path) => {
    class HiddenController {
      answer(): string {
        return 'hidden';
      }
    }
    const { prototype } = HiddenController;
    const descriptor = Object.getOwnPropertyDescriptor(prototype, 'answer')!;
    (method === 'GET' ? Get : Patch)(path)(prototype, 'answer', descriptor);
    Access({ anyone: 'A test.' })(prototype, 'answer', descriptor);
    Controller()(HiddenController);
    const stopped = await makeApp((service) => ({ ...service, controllers: [HiddenController] }));
    await expect(stopped.init()).rejects.toThrow(`No request reaches the handler at /${path}: /posts/{id}/`);
  });

  it.each<[string, (each: NestExpressApplication) => void]>([
    ['setGlobalPrefix()', (each) => each.setGlobalPrefix('api')],
    [
      'enableVersioning()',
      (each) => each.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
    ],
  ])('stop the start where they cannot work: %s', async (_, configure) => {
    const stopped = await makeApp((service) => service);
    configure(stopped);
    await expect(stopped.init()).rejects.toThrow(/^Nest does not serve .* Set BASE_PATH in place of/);
  });
});
