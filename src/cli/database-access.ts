import 'reflect-metadata';
import { type DynamicModule, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { GlobalsModule } from '../bootstrap/globals.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { openDataSource, openDataSourceBesideService } from '../database/open-database.js';
import type { Author } from '../http/request/author.js';
import type { Reader } from '../http/response/response-reader.js';
import { ImportsService } from '../imports/imports.service.js';
import { createLogger } from '../logging/logger.js';
import { LINE_REPRESENTATIONS } from '../posts/formats/list-representations.js';
import { writeList } from '../posts/formats/post-list-representation.js';
import { PostsModule } from '../posts/posts.module.js';
import { PostListsService } from '../posts/lists/post-lists.service.js';
import { PostsService } from '../posts/posts.service.js';
import { BodyTooLarge, InvalidRequest } from '../problem-details/problems.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import type { Settings } from '../settings/settings.js';
import {
  type Format,
  FORMATS,
  type Imported,
  ImportRefused,
  type OnStored,
  type PostsAccess,
  type PostsExport,
} from './posts-access.js';

const AUTHOR: Author = { kind: 'command', name: 'import' };
/** Ordered by id, the order in which the database stores the posts. An import restores the same order. */
const EVERYTHING = {
  filter: {},
  ordering: 'id',
  limit: 0,
  offset: 0,
  cursor: undefined,
  fields: undefined,
} as const;

/** The parts of the service that a command needs, without those that handle requests. */
@Module({})
class CommandModule {
  static of(settings: Settings, part: Type, open: typeof openDataSource): DynamicModule {
    const logger = createLogger({ ...settings, logLevel: 'silent' });
    // Only the service creates the first account.
    const ours = { ...settings, admin: { ...settings.admin, password: undefined } };
    return {
      module: CommandModule,
      imports: [GlobalsModule.of(ours, logger, DatabaseModule.forRoot(open)), part],
    };
  }
}

/** The application context of a command. */
export class DatabaseAccess implements PostsAccess {
  private constructor(private readonly context: INestApplicationContext) {}

  /** @throws StartFault when a running service needs exclusive access to the database */
  static open(settings: Settings): Promise<DatabaseAccess> {
    return DatabaseAccess.#open(settings, PostsModule, openDataSource);
  }

  /** Opens the accounts, whether or not a service is running. */
  static openAccounts(settings: Settings): Promise<DatabaseAccess> {
    return DatabaseAccess.#open(settings, AccountsModule, openDataSourceBesideService);
  }

  static async #open(settings: Settings, part: Type, open: typeof openDataSource): Promise<DatabaseAccess> {
    const module = CommandModule.of(settings, part, open);
    return new DatabaseAccess(
      await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false }),
    );
  }

  get accounts(): AccountsService {
    return this.context.get(AccountsService, { strict: false });
  }

  async import(
    bytes: AsyncIterable<Buffer>,
    format: Format,
    cancel: AbortSignal,
    onStored: OnStored,
  ): Promise<Imported> {
    const imports = this.context.get(ImportsService, { strict: false });
    try {
      return await imports.store(
        bytes,
        AUTHOR,
        {
          key: '',
          after: (_transaction, { created, ids }) =>
            Promise.resolve({ created, firstId: ids?.first ?? null, lastId: ids?.last ?? null }),
        },
        { cancel, mediaType: FORMATS[format], onProgress: onStored },
      );
    } catch (error) {
      if (error instanceof InvalidRequest || error instanceof BodyTooLarge)
        throw new ImportRefused(error.errors ?? [], error.detail ?? '');
      throw error;
    }
  }

  async export(format: Format, cancel: AbortSignal): Promise<PostsExport> {
    const representation = LINE_REPRESENTATIONS.find(({ mediaType }) => mediaType === FORMATS[format])!;
    const { posts, total } = await this.context
      .get(PostListsService, { strict: false })
      .stream(EVERYTHING, true, () => readerUntil(cancel));
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for await (const piece of writeList(representation, posts.batches(), { fields: undefined })) {
        cancel.throwIfAborted();
        yield Buffer.from(piece);
      }
    }
    return { total: total!, chunks: chunks(), close: () => posts.close() };
  }

  async reindex(onIndexed: OnStored): Promise<void> {
    const total = await this.context.get(PostsService, { strict: false }).count();
    const index = this.context.get(SearchIndexRepository, { strict: false });
    await index.rebuild((posts) => onIndexed(posts, total));
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** An export by the command blocks no other reader, so the snapshot has no time limit. */
function readerUntil(signal: AbortSignal): Reader {
  return { client: '', signal, lagMs: () => 0, end: () => undefined };
}
