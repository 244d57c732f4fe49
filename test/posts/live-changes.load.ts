import { setTimeout as sleep } from 'node:timers/promises';
import { type EventListener, listenTo } from '../support/event-listener.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';
import { poll } from '../support/until.js';

const service = await startService();
const EVENTS = { Accept: 'text/event-stream' };

const listen = listenTo(service);

describe('GET /posts/ with Accept: text/event-stream', () => {
  it('sends everything to a client that has read nothing for a while', async () => {
    const [slow, steady] = [await listen('?fields=id,title,body'), await listen('?fields=id')];
    slow.response.pause();
    // More than the buffers of a connection and the log of events take.
    const lines = Array.from({ length: 3_000 }, () =>
      JSON.stringify({ title: 'slow', body: 'x'.repeat(4_000) }),
    );
    const { first_id: first } = (await service.import(lines.join('\n'))).json<{ first_id: number }>();
    await poll(() => steady.of(first).length > 0).toBe(true);
    await service.put(`/posts/${first}/`, { title: 'changed', body: '' });
    await poll(() => steady.of(first).length > 1).toBe(true);
    slow.response.resume();
    await poll(() => slow.of(first).at(-1)).toEqual({ id: first, title: 'changed', body: '' });
    await poll(() => slow.copy.size).toBe(lines.length);
    expect(new Set(slow.copy.keys())).toEqual(new Set(lines.map((_, index) => first + index)));
    expect(slow.of(first).at(-1)).toEqual({ id: first, title: 'changed', body: '' });
  });

  it('gives a client a quarter of 1,024 streams', async () => {
    const many = await Promise.all(Array.from({ length: 256 }, () => listen('?fields=id')));
    const { problem, headers } = await service.get('/posts/', EVENTS);
    expect([problem.status, headers['retry-after']]).toEqual([503, '1']);
    const { text } = await service.get('/metrics');
    expect(text).toContain('\nposts_streams 256\n');
    const { id } = await service.create();
    await poll(() => many.every((listener) => listener.of(id).length > 0)).toBe(true);
    many[0]!.close();
    await poll(async () => (await service.request('HEAD', '/posts/', { headers: EVENTS })).status).toBe(200);
  });
});

describe('streams that break while eight clients write', () => {
  it('miss nothing, and show the changes of a post in their order', async () => {
    const posts = await service.createAll(Array.from({ length: 40 }, () => ({ title: 'race', body: '0' })));
    const progress = { isOver: false };
    const write = async (client: number): Promise<void> => {
      for (let round = 1; round <= 25; round += 1) {
        for (const { id } of posts.filter((_, index) => index % 8 === client)) {
          if (round === 25 && id % 3 === 0) await service.delete(`/posts/${id}/`);
          else await service.put(`/posts/${id}/`, { title: 'race', body: String(round) });
        }
        await service.create({ title: 'race', body: `new ${client}` });
      }
    };
    const steady = await listen();
    const broken: EventListener[] = [await listen()];
    const breaking = (async () => {
      while (!progress.isOver) {
        await sleep(150);
        const last = broken.at(-1)!;
        last.close();
        broken.push(await listen('', { 'Last-Event-ID': last.lastEventId }));
      }
    })();
    await Promise.all(Array.from({ length: 8 }, (_, client) => write(client)));
    progress.isOver = true;
    await breaking;
    const { id: lastId } = await service.create({ title: 'last' });
    await poll(() => steady.of(lastId)).toHaveLength(1);
    await poll(() => broken.at(-1)!.of(lastId).length > 0).toBe(true);
    const stored = (await service.get('/posts/?title=race&limit=1000')).json<PostJson[]>();
    expect(stored).toHaveLength(200 + posts.filter(({ id }) => id % 3 !== 0).length);
    for (const events of [steady.events, broken.flatMap((each) => each.events)]) {
      const copy = new Map<number, unknown>();
      const late: PostJson[] = [];
      for (const { event, data } of events) {
        const post = data as PostJson;
        const before = copy.get(post.id) as PostJson | undefined;
        if (event === 'post' && before && Number(post.body) < Number(before.body)) late.push(post);
        if (event === 'post') copy.set(post.id, post);
        else copy.delete(post.id);
      }
      expect(late).toEqual([]);
      const seen = [...copy.values()].filter((post) => (post as PostJson).title === 'race');
      expect(seen.toSorted(byId)).toEqual(stored.toSorted(byId));
    }
  });
});

function byId(a: unknown, b: unknown): number {
  return (a as PostJson).id - (b as PostJson).id;
}
