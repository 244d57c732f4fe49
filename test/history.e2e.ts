import type { Author } from '../src/http/author.js';
import { ANONYMOUS } from '../src/http/author.js';
import { Preconditions } from '../src/http/preconditions.js';
import { DeletedPostsService } from '../src/posts/history/deleted-posts.service.js';
import { HistoryService } from '../src/posts/history/history.service.js';
import type { LoggedChange, Revision } from '../src/posts/history/revision.js';
import { ImportsService } from '../src/posts/import/imports.service.js';
import { PostsService } from '../src/posts/posts.service.js';
import { startService } from './support/service.js';

const service = await startService();
const posts = service.app.get(PostsService, { strict: false });
const imports = service.app.get(ImportsService, { strict: false });
const history = service.app.get(HistoryService, { strict: false });
const deletedPosts = service.app.get(DeletedPostsService, { strict: false });

const ANY = Preconditions.from({ ifMatch: undefined, ifNoneMatch: undefined });
const ANN: Author = { kind: 'account', name: 'ann' };
const BOT: Author = { kind: 'token', name: 'bot' };
const AUTHORS = [ANONYMOUS, ANN, BOT];

/** What a post is, or that it is gone, after each of its changes, and who made them. */
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
  const range = await imports.store(
    (async function* () {
      await Promise.resolve();
      yield Buffer.from(lines.join(''));
    })(),
    author,
    {
      begin: () => Promise.resolve(),
      conclude: (_transaction, { ids }) => Promise.resolve(ids!),
    },
  );
  return Array.from({ length: range.last - range.first + 1 }, (_, index) => range.first + index);
}

async function allRevisions(id: number): Promise<Revision[]> {
  const { rows } = await history.revisionsOf(id, { limit: 1_000, cursor: undefined });
  return [...rows];
}

async function allChanges(): Promise<LoggedChange[]> {
  const all: LoggedChange[] = [];
  let cursor;
  do {
    const page = await history.changesOf({}, { limit: 700, cursor });
    all.push(...page.rows);
    cursor = page.next;
  } while (cursor);
  return all;
}

const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(Math.random() * values.length)]!;

describe('the history', () => {
  it('has every change by any way in, so that replaying it gives the very posts', async () => {
    const expected = new Map<number, Expected[]>();
    const note = (id: number, action: string, author: Author, text?: string): void => {
      const before = expected.get(id) ?? [];
      const content = text === undefined ? before.at(-1)!.content : contentOf(text);
      expected.set(id, [...before, { content, action, author }]);
    };
    const isGone = (id: number): boolean => expected.get(id)!.at(-1)!.action === 'deleted';
    let texts = 0;
    // Each client changes posts of its own, all of them at the same time.
    const client = async (): Promise<void> => {
      const own: number[] = [];
      for (let step = 0; step < 60; step++) {
        const author = pick(AUTHORS);
        const text = `text ${texts++}`;
        const id = pick(own);
        const dice = Math.random();
        if (id === undefined || dice < 0.3) {
          const made = await posts.create(contentOf(text), author);
          own.push(made.id);
          note(made.id, 'created', author, text);
        } else if (dice < 0.33) {
          const several = [text, `${text} b`, `${text} c`];
          // Ids between may be those of others.
          const ids = await importAs(author, several);
          for (const each of ids) {
            const post = await posts.findOrFail(each).catch(() => undefined);
            if (!post || !several.includes(post.title)) continue;
            own.push(each);
            note(each, 'imported', author, post.title);
          }
        } else if (isGone(id)) {
          await deletedPosts.restore([id], author);
          note(id, 'restored', author);
        } else if (dice < 0.6) {
          await posts.delete(id, ANY, author);
          note(id, 'deleted', author);
        } else {
          await posts.replace(id, contentOf(text), ANY, author);
          note(id, 'changed', author, text);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));

    for (const [id, steps] of expected) {
      const revisions = (await allRevisions(id)).toReversed();
      expect(revisions.map(({ number, action, author }) => [number, action, author])).toEqual(
        steps.map(({ action, author }, index) => [index + 1, action, author]),
      );
      for (const [index, { content }] of steps.entries()) {
        expect(await history.findRevisionOrFail(id, index + 1)).toMatchObject(content);
      }
      const post = await posts.findOrFail(id).catch(() => undefined);
      expect(post).toEqual(isGone(id) ? undefined : { id, version: steps.length, ...steps.at(-1)!.content });
    }
    const deleted = await deletedPosts.page({ limit: 1_000, cursor: undefined }, undefined);
    expect(new Set(deleted.rows.map(({ id }) => id))).toEqual(new Set([...expected.keys()].filter(isGone)));
    const logged = await allChanges();
    const singles = logged.filter(({ action }) => action !== 'imported');
    const made = singles.flatMap(({ postId, lastPostId }) => lastPostId - postId + 1);
    expect(made.reduce((a, b) => a + b)).toBe(
      [...expected.values()].flat().filter(({ action }) => action !== 'imported').length,
    );
  });
});
