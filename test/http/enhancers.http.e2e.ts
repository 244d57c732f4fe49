import {
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Module,
  type NestInterceptor,
  Param,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app.module.js';
import { configureApp } from '../../src/bootstrap/create-app.js';
import { FastExpressAdapter } from '../../src/http/pipeline/fast-express-adapter.js';
import { Operation } from '../../src/http/request/operation.decorator.js';
import { Roles } from '../../src/http/request/roles.guard.js';
import { createLogger } from '../../src/logging/logger.js';
import { readSettings } from '../../src/settings/settings.js';
import { freshDatabase, type FreshDatabase } from '../support/database.js';

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

@Controller('cats')
class CatsController {
  /** Cacheable, so that a response may be sent before Nest is reached. */
  @Get(':name')
  @UseGuards(OnlyTom)
  @UseInterceptors(Noting)
  @Operation({ name: 'cat-detail', responses, cacheable: true })
  getCat(@Param() { name }: { name: string }): object {
    return { name };
  }

  @Post(':name/kittens')
  @Roles('anyone')
  @Operation({ name: 'kitten-list', responses, location: () => ['cat-detail'] })
  createKitten(): object {
    return {};
  }
}

describe('guards, interceptors and handlers of Nest', () => {
  let database: FreshDatabase;
  let app: NestExpressApplication;
  let url: string;

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  it('apply to the handlers that declare them or, when they are global, to all, and not to cached responses', async () => {
    database = await freshDatabase();
    const variables = { DATABASE_URL: database.url, PASSWORD_HASH_MEMORY: '16', LOG_LEVEL: 'silent' };
    const settings = readSettings(variables, { isTerminal: false });
    @Module({ imports: [AppModule.of(settings, createLogger(settings))], controllers: [CatsController] })
    class TestModule {}
    const adapter = new FastExpressAdapter();
    const options = { bodyParser: false, logger: false, abortOnError: false } as const;
    app = await NestFactory.create<NestExpressApplication>(TestModule, adapter, options);
    configureApp(app, adapter);
    app.useGlobalInterceptors(new Noting());
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();

    const tom = await fetch(`${url}/cats/tom/`);
    expect([tom.status, await tom.json()]).toEqual([200, { name: 'tom' }]);
    for (let count = 0; count < 2; count += 1) {
      const felix = await fetch(`${url}/cats/felix/`);
      const type = felix.headers.get('content-type');
      expect([felix.status, type]).toEqual([403, 'application/problem+json']);
    }
    // Once globally, and once as the handler declares it.
    expect(intercepted.splice(0)).toEqual(['getCat', 'getCat']);

    for (let count = 0; count < 2; count += 1) expect((await fetch(`${url}/posts/`)).status).toBe(200);
    expect((await fetch(`${url}/posts/?limit=0`)).status).toBe(400);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    // Nest runs interceptors before pipes.
    expect(intercepted).toEqual(['listPosts', 'listPosts', 'getMetrics']);
  });

  it('give a Location the parameters of the path of the request', async () => {
    const { headers } = await fetch(`${url}/cats/tom/kittens/`, { method: 'POST', body: '{}' });
    expect(headers.get('Location')).toBe(`${url}/cats/tom/`);
  });
});
