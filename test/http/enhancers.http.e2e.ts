import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Module,
  type NestInterceptor,
  Param,
  type PipeTransform,
  Post,
  type Type,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app.module.js';
import { configureApp } from '../../src/bootstrap/create-app.js';
import { FastExpressAdapter } from '../../src/http/pipeline/fast-express-adapter.js';
import { Operation } from '../../src/http/pipeline/operation.decorator.js';
import { IsString } from '../../src/http/request/validation.js';
import { ApiResponse } from '../../src/http/response/api-response.js';
import { createLogger } from '../../src/logging/logger.js';
import { readSettings } from '../../src/settings/settings.js';
import { freshDatabase, type FreshDatabase } from '../support/database.js';

class Cat {
  @IsString()
  name!: string;
}

class CatPath {
  @IsString()
  name!: string;
}

const JSON_CONTENT = { 'application/json': { type: { type: 'string' } } } as const;
const respond = (value: unknown): ApiResponse =>
  new ApiResponse({
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  });

class OnlyTom implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params } = context.switchToHttp().getRequest<{ params: CatPath }>();
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
  @Operation({
    name: 'cat-detail',
    responses: { 200: { description: 'A cat.', content: JSON_CONTENT } },
    respond,
  })
  getCat(@Param() { name }: CatPath): string {
    return name;
  }

  @Post()
  @UsePipes(Louder)
  @Operation({
    name: 'cat-list',
    body: { content: JSON_CONTENT },
    responses: { 200: { description: 'The cat.', content: JSON_CONTENT } },
    respond,
  })
  createCat(@Body() cat: Cat): Cat {
    return cat;
  }
}

@Controller('dogs')
class DogsController {
  @Get()
  @UseGuards(OnlyTom)
  @Operation({
    name: 'dog-list',
    responses: { 200: { description: 'Dogs.', content: JSON_CONTENT } },
    cacheable: true,
  })
  listDogs(): string[] {
    return [];
  }
}

describe('guards, interceptors and pipes of Nest', () => {
  let database: FreshDatabase;
  let app: NestExpressApplication | undefined;

  beforeEach(async () => {
    database = await freshDatabase();
  });

  afterEach(async () => {
    await app?.close();
    app = undefined;
    await database.remove();
  });

  /** Starts the service with an additional controller. @returns its URL */
  async function start(controller: Type): Promise<string> {
    const settings = readSettings(
      { DATABASE_URL: database.url, PASSWORD_HASH_MEMORY: '16', LOG_LEVEL: 'silent' },
      { isTerminal: false },
    );
    @Module({ imports: [AppModule.of(settings, createLogger(settings))], controllers: [controller] })
    class TestModule {}
    const adapter = new FastExpressAdapter();
    const options = { bodyParser: false, logger: false, abortOnError: false } as const;
    app = await NestFactory.create<NestExpressApplication>(TestModule, adapter, options);
    configureApp(app, adapter);
    await app.listen(0, '127.0.0.1');
    return (await app.getUrl()).replace('[::1]', '127.0.0.1');
  }

  it('apply to the handler that declares them', async () => {
    const url = await start(CatsController);
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
  });

  it('stop the start when cached responses would bypass a guard', async () => {
    await expect(start(DogsController)).rejects.toThrow(
      'OnlyTom stands before DogsController.listDogs, whose operation is cacheable: cached responses would bypass it.',
    );
  });

  it('stop the start when a guard is global and an operation is cacheable', async () => {
    const settings = readSettings(
      { DATABASE_URL: database.url, PASSWORD_HASH_MEMORY: '16', LOG_LEVEL: 'silent' },
      { isTerminal: false },
    );
    const adapter = new FastExpressAdapter();
    app = await NestFactory.create<NestExpressApplication>(
      AppModule.of(settings, createLogger(settings)),
      adapter,
      { bodyParser: false, logger: false, abortOnError: false },
    );
    configureApp(app, adapter);
    app.useGlobalGuards(new OnlyTom());
    await expect(app.init()).rejects.toThrow('A global guard or interceptor (OnlyTom) stands before');
  });
});
