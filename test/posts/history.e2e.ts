import type { Logger } from 'pino';
import type { ChangeDto } from '../../src/admin/change.dto.js';
import type { RevisionDto, WholeRevisionDto } from '../../src/admin/revisions.controller.js';
import { Database } from '../../src/database/database.js';
import { HistoryRetention } from '../../src/history/history-retention.service.js';
import { LOGGER } from '../../src/logging/logger.js';
import { PostDeletionsService } from '../../src/posts/deletions/post-deletions.service.js';
import { PostsStateRepository } from '../../src/posts/posts-state.repository.js';
import { toPubDate } from '../../src/posts/pub-date.js';
import { SETTINGS, type Settings } from '../../src/settings/settings.js';
import { AdminClient, startAdminService } from '../support/admin.js';
import { aPost, type PostJson } from '../support/posts.js';
import { randomNumbers } from '../support/properties.js';

type Content = Omit<PostJson, 'id'>;

const { service, admin } = await startAdminService({ HISTORY_DAYS: '30' });
const person = await admin.addPerson('editor');
const program = await admin.makeToken();

interface Sender {
  readonly headers: Readonly<Record<string, string>>;
  readonly author: { readonly kind: string; readonly name: string | null };
}
const ANN: Sender = { headers: person.headers, author: { kind: 'account', name: person.username } };
const BOT: Sender = { headers: program.headers, author: { kind: 'token', name: program.name } };
const AUTHORS: readonly Sender[] = [{ headers: {}, author: { kind: 'api', name: null } }, ANN, BOT];

const contentOf = (text: string): Content =>
  aPost({ title: text, pub_date: '2026-01-01T00:00:00.000001Z', body: `${text} 😀\r\n` });
const pathOf = (id: number): string => `/posts/${id}/`;
const create = async (text: string, { headers } = ANN): Promise<number> =>
  (await service.post(contentOf(text), headers)).json<PostJson>().id;
const replace = (id: number, text: string, { headers } = ANN) =>
  service.put(pathOf(id), contentOf(text), headers);
const remove = (id: number, { headers } = ANN) => service.delete(pathOf(id), headers);
const restore = (id: number) => person.send('POST', 'restorations/', { ids: [id] });
const revisionsOf = (id: number) => admin.get(`posts/${id}/revisions/?limit=1000`);
const bodyOf = async (id: number, number: number): Promise<string> =>
  (await admin.get(`posts/${id}/revisions/${number}/`)).json<WholeRevisionDto>().body;

/** Deletes expired history (older than 30 days), as if this many days had passed. */
async function forgetAfter(days: number, states?: PostsStateRepository): Promise<void> {
  const now = Date.now() + days * 86_400_000;
  // The last change of a post was just before.
  const busy = { readState: () => Promise.resolve({ modified: toPubDate(now) }) } as unknown;
  // A new one each time, because one continues from its last position.
  const retention = new HistoryRetention(
    service.app.get(Database, { strict: false }),
    service.app.get(PostDeletionsService, { strict: false }),
    states ?? (busy as PostsStateRepository),
    service.app.get<Settings>(SETTINGS, { strict: false }),
    service.app.get<Logger>(LOGGER, { strict: false }),
  );
  await retention.removeOld(now);
}

const random = randomNumbers();
const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)]!;

describe('the history', () => {
  it('records each change of concurrent clients, and its revisions match the posts', async () => {
    /** The state of each post after each of its changes, with the change's author. */
    const expected = new Map<number, { content: Content; action: string; author: object }[]>();
    const note = (id: number, action: string, author: object, content?: Content): void => {
      const before = expected.get(id) ?? [];
      expected.set(id, [...before, { content: content ?? before.at(-1)!.content, action, author }]);
    };
    const isGone = (id: number): boolean => expected.get(id)!.at(-1)!.action === 'deleted';
    let texts = 0;
    // Each client changes only its own posts. All clients run at the same time.
    const client = async (): Promise<void> => {
      const own: number[] = [];
      for (let step = 0; step < 15; step++) {
        const by = pick(AUTHORS);
        const text = `text ${texts++}`;
        const id = pick(own);
        const dice = random(100);
        if (id === undefined || dice < 30) {
          const made = await create(text, by);
          own.push(made);
          note(made, 'created', by.author, contentOf(text));
        } else if (dice < 33) {
          const several = [text, `${text} b`, `${text} c`].map(contentOf);
          const lines = several.map((each) => JSON.stringify(each)).join('\n');
          const { first_id, last_id } = (await service.import(lines, by.headers)).json<
            Record<string, number>
          >();
          for (let each = first_id!; each <= last_id!; each++) {
            // Ids in between may belong to posts of other clients.
            const { title } = (await service.get(pathOf(each))).json<Partial<PostJson>>();
            if (!several.some((one) => one.title === title)) continue;
            own.push(each);
            note(each, 'imported', by.author, contentOf(title!));
          }
        } else if (isGone(id)) {
          await restore(id);
          note(id, 'restored', ANN.author);
        } else if (dice < 60) {
          await remove(id, by);
          note(id, 'deleted', by.author);
        } else {
          await replace(id, text, by);
          note(id, 'changed', by.author, contentOf(text));
        }
      }
    };
    await Promise.all(Array.from({ length: 4 }, client));

    for (const [id, steps] of expected) {
      const revisions = (await revisionsOf(id)).json<RevisionDto[]>().toReversed();
      expect(revisions).toEqual(
        steps.map(({ content, action, author }, index) => {
          const { body: _body, ...listed } = content;
          return { number: index + 1, action, at: expect.any(String), author, ...listed };
        }),
      );
      const bodies = await Promise.all(revisions.map(({ number }) => bodyOf(id, number)));
      expect(bodies).toEqual(steps.map(({ content }) => content.body));
      const response = await service.get(pathOf(id));
      expect(response.status).toBe(isGone(id) ? 404 : 200);
      if (!isGone(id)) expect(response.json()).toEqual({ id, ...steps.at(-1)!.content });
      if (!isGone(id)) expect(response.etag).toBe(`"${id}-${steps.length}"`);
    }
    const deleted = (await admin.get('deleted-posts/?limit=1000')).json<{ id: number }[]>();
    expect(new Set(deleted.map(({ id }) => id))).toEqual(new Set([...expected.keys()].filter(isGone)));
    const logged = (await admin.get('changes/?limit=1000')).json<ChangeDto[]>();
    const singles = logged.filter(({ action, post_id: id }) => action !== 'imported' && id !== undefined);
    const made = singles.reduce((sum, { post_id: id, last_post_id: last = id }) => sum + last! - id! + 1, 0);
    expect(made).toBe([...expected.values()].flat().filter(({ action }) => action !== 'imported').length);
  });

  it('is kept when the clock is ahead: a time long after the last change of any post is not believed', async () => {
    const changed = await create('before the clock 1');
    await replace(changed, 'before the clock 2');
    const gone = await create('gone before the clock');
    await remove(gone);
    await forgetAfter(400, service.app.get(PostsStateRepository, { strict: false }));
    expect(await bodyOf(changed, 1)).toBe(contentOf('before the clock 1').body);
    const listed = (await service.get('/deleted-posts/?limit=1')).json<{ id: number }[]>();
    expect(listed.map(({ id }) => id)).toEqual([gone]);
    expect((await restore(gone)).text).toContain('"done":1');
  });

  it('keeps entries for HISTORY_DAYS, and the latest revision of an existing post for ever', async () => {
    const changed = await create('kept 1');
    await replace(changed, 'kept 2');
    await replace(changed, 'kept 3', BOT);
    const gone = await create('gone');
    await remove(gone);
    const purged = await create('purged');
    await remove(purged);
    await admin.send('POST', 'purges/', { ids: [purged] });
    const created = await create('only created', BOT);

    await AdminClient.logIn(service);
    const logIns = async () => (await admin.get('changes/?action=logged_in')).json<object[]>().length;
    const before = await logIns();
    await forgetAfter(29);
    expect([before > 0, await logIns()]).toEqual([true, before]);
    expect((await revisionsOf(changed)).json()).toHaveLength(3);
    expect((await revisionsOf(gone)).json()).toHaveLength(2);

    await forgetAfter(31);
    expect(await logIns()).toBe(0);
    const { author } = BOT;
    const kept = { number: 3, action: 'changed', author, title: 'kept 3' };
    expect((await revisionsOf(changed)).json()).toMatchObject([kept]);
    expect((await revisionsOf(created)).json()).toMatchObject([{ number: 1, action: 'created', author }]);
    expect((await revisionsOf(gone)).status).toBe(404);
    expect((await restore(gone)).text).toContain('"done":0');
    expect((await admin.get('deleted-posts/')).json()).toEqual([]);
    for (const id of [gone, purged]) expect((await admin.get(`changes/?post_id=${id}`)).json()).toEqual([]);

    // New revisions follow those that were kept.
    await replace(changed, 'kept 4');
    await remove(changed);
    await restore(changed);
    const revisions = (await revisionsOf(changed)).json<RevisionDto[]>();
    const shown = revisions.map(({ number, title }) => `${number} ${title}`);
    expect(shown).toEqual(['6 kept 4', '5 kept 4', '4 kept 4', '3 kept 3']);
  });

  it('records posts that existed before the history as found', async () => {
    const id = await create('older');
    await replace(id, 'older, changed');
    // Simulates posts that are older than the history.
    await service.database.execute('DELETE FROM post_revisions');
    await service.database.execute(
      `INSERT INTO post_revisions (post_id, last_post_id, number, action, at, author_kind)
       SELECT min(id), max(id), 1, 'found', '2026-01-01T00:00:00.000000Z', 'command' FROM posts`,
    );
    const author = { kind: 'command', name: null };
    const found = { number: 2, action: 'found', author, title: 'older, changed' };
    expect((await revisionsOf(id)).json()).toMatchObject([found]);
    await replace(id, 'newer');
    const changed = { number: 3, action: 'changed', title: 'newer' };
    expect((await revisionsOf(id)).json()).toMatchObject([changed, found]);
    expect(await bodyOf(id, 2)).toBe(contentOf('older, changed').body);
    expect((await admin.get(`posts/${id}/revisions/1/`)).status).toBe(404);
  });
});
