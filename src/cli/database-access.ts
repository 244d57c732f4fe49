import type { INestApplicationContext } from '@nestjs/common';
import type { Author } from '../http/request/author.js';
import { ImportsService } from '../imports/imports.service.js';
import { LINE_REPRESENTATIONS } from '../posts/formats/list-representations.js';
import { writeList } from '../posts/formats/post-list-representation.js';
import { PostListsService } from '../posts/lists/post-lists.service.js';
import type { Post } from '../posts/post.entity.js';
import { BodyTooLarge, InvalidRequest } from '../problem-details/problems.js';
import {
  type Format,
  FORMATS,
  type Imported,
  ImportRefused,
  type PostsAccess,
  type PostsExport,
  type Watch,
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

/** The posts of the database of the settings. */
export class DatabaseAccess implements PostsAccess {
  constructor(private readonly context: INestApplicationContext) {}

  async import(
    bytes: AsyncIterable<Buffer>,
    format: Format,
    { cancel, onProgress }: Watch,
  ): Promise<Imported> {
    const imports = this.context.get(ImportsService, { strict: false });
    const { created, ids } = await imports
      .store(
        { body: bytes, mediaType: FORMATS[format] },
        AUTHOR,
        { key: '', after: (_transaction, result) => Promise.resolve(result) },
        { cancel, onProgress },
      )
      .catch((error: unknown) => {
        if (error instanceof InvalidRequest || error instanceof BodyTooLarge)
          throw new ImportRefused(error.errors ?? [], error.message);
        throw error;
      });
    return { created, first_id: ids?.first ?? null, last_id: ids?.last ?? null };
  }

  async export(format: Format, { cancel, onProgress }: Watch): Promise<PostsExport> {
    const representation = LINE_REPRESENTATIONS.find(({ mediaType }) => mediaType === FORMATS[format])!;
    // The command blocks no other reader, so the snapshot has no time limit.
    const reader = { client: '', signal: cancel, lagMs: () => 0, end: () => undefined };
    const lists = this.context.get(PostListsService, { strict: false });
    const { posts, total } = await lists.stream(EVERYTHING, true, () => reader);
    async function* batches(): AsyncGenerator<readonly Partial<Post>[]> {
      let done = 0;
      try {
        for await (const batch of posts.batches()) {
          cancel.throwIfAborted();
          yield batch;
          onProgress((done += batch.length), total!);
        }
      } finally {
        await posts.close();
      }
    }
    return { total: total!, chunks: writeList(representation, batches(), { fields: undefined }) };
  }
}
