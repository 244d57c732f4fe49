import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { Database } from '../../src/database/database.js';
import { ChangesService } from '../../src/history/changes.service.js';
import { DeletedPostsService } from '../../src/history/deleted-posts.service.js';
import { HistoryRetention } from '../../src/history/history-retention.service.js';
import type { LoggedChange, Revision } from '../../src/history/post-revision.entity.js';
import { RevisionsService } from '../../src/history/revisions.service.js';
import { Preconditions } from '../../src/problem-details/preconditions.js';
import { ANONYMOUS, type Author } from '../../src/http/request/author.js';
import { ImportsService } from '../../src/imports/imports.service.js';
import { LOGGER } from '../../src/logging/logger.js';
import { PostDeletionsService } from '../../src/posts/deletions/post-deletions.service.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { BulkChangesService } from '../../src/bulk-changes/bulk-changes.service.js';
import { SETTINGS, type Settings } from '../../src/settings/settings.js';
import { finish } from '../support/bulk.js';
import { randomNumbers } from '../support/properties.js';
import { aReader } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService({ HISTORY_DAYS: '30' });
const posts = service.app.get(PostsService, { strict: false });
const imports = service.app.get(ImportsService, { strict: false });
const revisionsOf = service.app.get(RevisionsService, { strict: false });
const changes = service.app.get(ChangesService, { strict: false });
const deletedPosts = service.app.get(DeletedPostsService, { strict: false });
const bulkChanges = service.app.get(BulkChangesService, { strict: false });

const restore = (id: number, author: Author): Promise<number> =>
  finish(bulkChanges.restorePosts({ ids: [id] }, author));

const ANY = new Preconditions({});
const ANN: Author = { kind: 'account', name: 'ann' };
const BOT: Author = { kind: 'token', name: 'bot' };
const AUTHORS = [ANONYMOUS, ANN, BOT];

/** The expected state of a post after each change, with the change's author. */
interface Expected {
  readonly content: { title: string; pubDate: string; body: string };
  readonly action: string;
  readonly author: Author;
}

function contentOf(text: string): Expected['content'] {
  return { title: text, pubDate: '2026-01-01T00:00:00.000001Z', body: `${text} 😀\r\n` };
}

async function importAs(author: Author, texts: readonly string[]): Promise<number[]> {
  const lines = texts.map((text) => {
    const { title, pubDate, body } = contentOf(text);
    return `${JSON.stringify({ title, pub_date: pubDate, body })}\n`;
  });
  const body = Readable.from([Buffer.from(lines.join(''))]);
  const range = await imports.store({
    body,
    mediaType: 'application/x-ndjson',
    author,
    before: () => Promise.resolve(),
    after: (_transaction, { ids }) => Promise.resolve(ids!),
  });
  return Array.from({ length: range.last - range.first + 1 }, (_, index) => range.first + index);
}

async function allRevisions(id: number): Promise<Revision[]> {
  const { rows } = await revisionsOf.findPage(id, { limit: 1_000, cursor: undefined });
  return [...rows];
}

async function allChanges(): Promise<LoggedChange[]> {
  const all: LoggedChange[] = [];
  let cursor;
  do {
    const page = await changes.findPage({}, { limit: 700, cursor }, aReader);
    all.push(...page.rows);
    cursor = page.next;
  } while (cursor);
  return all;
}

/** Deletes expired history (older than 30 days), as if this many days had passed. */
async function forgetAfter(days: number): Promise<void> {
  // A new one each time, because one continues from its last position.
  const retention = new HistoryRetention(
    service.app.get(Database, { strict: false }),
    service.app.get(PostDeletionsService, { strict: false }),
    service.app.get<Settings>(SETTINGS, { strict: false }),
    service.app.get<Logger>(LOGGER, { strict: false }),
  );
  await retention.removeOld(Date.now() + days * 86_400_000);
}

const random = randomNumbers();
const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)]!;

describe('the history', () => {
  it('records each change of concurrent clients, and its revisions match the posts', async () => {
    const expected = new Map<number, Expected[]>();
    const note = (id: number, action: string, author: Author, text?: string): void => {
      const before = expected.get(id) ?? [];
      const content = text === undefined ? before.at(-1)!.content : contentOf(text);
      expected.set(id, [...before, { content, action, author }]);
    };
    const isGone = (id: number): boolean => expected.get(id)!.at(-1)!.action === 'deleted';
    let texts = 0;
    // Each client changes only its own posts. All clients run at the same time.
    const client = async (): Promise<void> => {
      const own: number[] = [];
      for (let step = 0; step < 25; step++) {
        const author = pick(AUTHORS);
        const text = `text ${texts++}`;
        const id = pick(own);
        const dice = random(100);
        if (id === undefined || dice < 30) {
          const made = await posts.create(contentOf(text), author);
          own.push(made.id);
          note(made.id, 'created', author, text);
        } else if (dice < 33) {
          const several = [text, `${text} b`, `${text} c`];
          // Ids in between may belong to posts of other clients.
          const ids = await importAs(author, several);
          for (const each of ids) {
            const post = await posts.findOrFail(each).catch(() => undefined);
            if (!post || !several.includes(post.title)) continue;
            own.push(each);
            note(each, 'imported', author, post.title);
          }
        } else if (isGone(id)) {
          await restore(id, author);
          note(id, 'restored', author);
        } else if (dice < 60) {
          await posts.delete(id, ANY, author);
          note(id, 'deleted', author);
        } else {
          await posts.replace(id, contentOf(text), ANY, author);
          note(id, 'changed', author, text);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, client));

    for (const [id, steps] of expected) {
      const revisions = (await allRevisions(id)).toReversed();
      expect(revisions.map(({ number, action, author }) => [number, action, author])).toEqual(
        steps.map(({ action, author }, index) => [index + 1, action, author]),
      );
      for (const [index, { content }] of steps.entries()) {
        expect(await revisionsOf.findOrFail(id, index + 1)).toMatchObject(content);
      }
      const post = await posts.findOrFail(id).catch(() => undefined);
      expect(post).toEqual(
        isGone(id)
          ? undefined
          : { id, version: steps.length, modified: expect.any(String), ...steps.at(-1)!.content },
      );
    }
    const deleted = await deletedPosts.findPage(undefined, { limit: 1_000, cursor: undefined });
    expect(new Set(deleted.rows.map(({ id }) => id))).toEqual(new Set([...expected.keys()].filter(isGone)));
    const logged = await allChanges();
    const singles = logged.filter(({ action, postId }) => action !== 'imported' && postId > 0);
    const made = singles.reduce((sum, { postId, lastPostId }) => sum + lastPostId - postId + 1, 0);
    const all = [...expected.values()].flat();
    expect(made).toBe(all.filter(({ action }) => action !== 'imported').length);
  });

  it('keeps entries for HISTORY_DAYS, and the latest revision of an existing post for ever', async () => {
    const changed = await posts.create(contentOf('kept 1'), ANN);
    await posts.replace(changed.id, contentOf('kept 2'), ANY, ANN);
    await posts.replace(changed.id, contentOf('kept 3'), ANY, BOT);
    const gone = await posts.create(contentOf('gone'), ANN);
    await posts.delete(gone.id, ANY, ANN);
    const purged = await posts.create(contentOf('purged'), ANN);
    await posts.delete(purged.id, ANY, ANN);
    await finish(bulkChanges.purgePosts({ ids: [purged.id] }, ANN));
    const created = await posts.create(contentOf('only created'), BOT);

    await forgetAfter(29);
    expect(await allRevisions(changed.id)).toHaveLength(3);
    expect(await allRevisions(gone.id)).toHaveLength(2);

    await forgetAfter(31);
    expect(await allRevisions(changed.id)).toMatchObject([
      { number: 3, action: 'changed', author: BOT, title: 'kept 3' },
    ]);
    expect(await allRevisions(created.id)).toMatchObject([{ number: 1, action: 'created', author: BOT }]);
    await expect(allRevisions(gone.id)).rejects.toThrow('There is no history');
    expect(await restore(gone.id, ANN)).toBe(0);
    expect((await deletedPosts.findPage(undefined, { limit: 10, cursor: undefined })).rows).toEqual([]);
    const logged = (await allChanges()).filter(({ postId }) => postId === gone.id || postId === purged.id);
    expect(logged).toEqual([]);

    // New revisions follow those that were kept.
    await posts.replace(changed.id, contentOf('kept 4'), ANY, ANN);
    await posts.delete(changed.id, ANY, ANN);
    await restore(changed.id, BOT);
    const kept = (await allRevisions(changed.id)).map(({ number, title }) => `${number} ${title}`);
    expect(kept).toEqual(['6 kept 4', '5 kept 4', '4 kept 4', '3 kept 3']);
  });

  it('records posts that existed before the history as found', async () => {
    const { id } = await posts.create(contentOf('older'), ANN);
    await posts.replace(id, contentOf('older, changed'), ANY, ANN);
    // Simulates posts that are older than the history.
    await service.database.execute('DELETE FROM post_revisions');
    await service.database.execute(
      `INSERT INTO post_revisions (post_id, last_post_id, number, action, at, author_kind)
       SELECT min(id), max(id), 1, 'found', '2026-01-01T00:00:00.000000Z', 'command' FROM posts`,
    );
    const found = { number: 2, action: 'found', author: { kind: 'command', name: undefined } };
    expect(await allRevisions(id)).toMatchObject([{ ...found, title: 'older, changed' }]);
    await posts.replace(id, contentOf('newer'), ANY, ANN);
    expect(await allRevisions(id)).toMatchObject([
      { number: 3, action: 'changed', title: 'newer' },
      { ...found, title: 'older, changed' },
    ]);
    expect(await revisionsOf.findOrFail(id, 2)).toMatchObject(contentOf('older, changed'));
    await expect(revisionsOf.findOrFail(id, 1)).rejects.toThrow('no revision 1');
  });
});
