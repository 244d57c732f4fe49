import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  HttpStatus,
  Module,
  type NestInterceptor,
  Param,
  type PipeTransform,
  Post,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsString } from 'class-validator';
import { AppModule } from '../../src/app.module.js';
import { configureApp } from '../../src/bootstrap/create-app.js';
import { FastExpressAdapter } from '../../src/http/pipeline/fast-express-adapter.js';
import { Operation } from '../../src/http/request/operation.decorator.js';
import { Roles } from '../../src/http/request/roles.guard.js';
import { createLogger } from '../../src/logging/logger.js';
import { readSettings } from '../../src/settings/settings.js';
import { freshDatabase, type FreshDatabase } from '../support/database.js';

class Cat {
  @IsString()
  name!: string;
}

const content = { 'application/json': { type: { type: 'string' } } } as const;
const responses = { 200: { description: 'Done.', content } };

class OnlyTom implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params } = context.switchToHttp().getRequest<{ params: Partial<Cat> }>();
    return params.name === 'tom';
  }
}

class Louder implements PipeTransform {
  transform(value: unknown): unknown {
    return value instanceof Cat ? { name: value.name.toUpperCase() } : value;
  }
}

const intercepted: string[] = [];

class Noting implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    intercepted.push(context.getHandler().name);
    return next.handle();
  }
}

@Controller('cats')
class CatsController {
  @Get(':name')
  @UseGuards(OnlyTom)
  @UseInterceptors(Noting)
  @Operation({ name: 'cat-detail', responses })
  getCat(@Param() { name }: Cat): string {
    return name;
  }

  @Post()
  @HttpCode(HttpStatus.OK)
  @Roles('anyone')
  @UsePipes(Louder)
  @Operation({ name: 'cat-list', body: { content }, responses })
  createCat(@Body() cat: Cat): Cat {
    return cat;
  }
}

/** Cacheable, so that a response may be sent before Nest is reached. */
@Controller('dogs')
class DogsController {
  @Get()
  @UseGuards(OnlyTom)
  @Operation({ name: 'dog-list', responses, cacheable: true })
  listDogs(): string[] {
    return [];
  }
}

describe('guards, interceptors and pipes of Nest', () => {
  let database: FreshDatabase;
  let app: NestExpressApplication;

  beforeEach(async () => {
    intercepted.length = 0;
    database = await freshDatabase();
  });

  afterEach(async () => {
    await app.close();
    await database.remove();
  });

  /** Starts the service with additional controllers. @returns its URL */
  async function start(configure: (nest: NestExpressApplication) => unknown = () => undefined) {
    const settings = readSettings(
      { DATABASE_URL: database.url, PASSWORD_HASH_MEMORY: '16', LOG_LEVEL: 'silent' },
      { isTerminal: false },
    );
    const imports = [AppModule.of(settings, createLogger(settings))];
    @Module({ imports, controllers: [CatsController, DogsController] })
    class TestModule {}
    const adapter = new FastExpressAdapter();
    const options = { bodyParser: false, logger: false, abortOnError: false } as const;
    app = await NestFactory.create<NestExpressApplication>(TestModule, adapter, options);
    configureApp(app, adapter);
    configure(app);
    await app.listen(0, '127.0.0.1');
    return (await app.getUrl()).replace('[::1]', '127.0.0.1');
  }

  it('apply to the handler that declares them, for every response that is not a cached one', async () => {
    const url = await start();
    const tom = await fetch(`${url}/cats/tom/`);
    expect([tom.status, await tom.json()]).toEqual([200, 'tom']);
    expect(intercepted).toEqual(['getCat']);
    const felix = await fetch(`${url}/cats/felix/`);
    expect(felix.status).toBe(403);
    expect(felix.headers.get('content-type')).toBe('application/problem+json');
    const louder = await fetch(`${url}/cats/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"tom"}',
    });
    expect([louder.status, await louder.json()]).toEqual([200, { name: 'TOM' }]);
    for (let count = 0; count < 2; count += 1) expect((await fetch(`${url}/dogs/`)).status).toBe(403);
  });

  it('apply to all handlers when they are global, and not to cached responses', async () => {
    const url = await start((nest) => nest.useGlobalInterceptors(new Noting()));
    for (let count = 0; count < 2; count += 1) expect((await fetch(`${url}/posts/`)).status).toBe(200);
    expect((await fetch(`${url}/posts/?limit=0`)).status).toBe(400);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    expect(intercepted).toEqual(['listPosts', 'getMetrics']);
  });
});
