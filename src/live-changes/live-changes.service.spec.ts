import { aStoredPost } from '../../test/support/posts.js';
import type { PostDeletionsService } from '../posts/deletions/post-deletions.service.js';
import { ChangeFollower } from './change-follower.js';
import type { LatestChangesRepository } from './latest-changes.repository.js';
import type { LatestChanges } from './latest-changes.service.js';
import { LiveChanges } from './live-changes.service.js';

const DATE = '2026-01-02T00:00:00.000000Z';
const LARGE = aStoredPost({ id: 7, title: 'Fog', version: 2 });

describe('LiveChanges', () => {
  it('leaves a version of a large post to the event of the version that has replaced it', async () => {
    const follower = new ChangeFollower({ name: 'one' }, DATE);
    const latest = { follow: async () => follower, unfollow: () => undefined } as unknown as LatestChanges;
    const changes = { find: async () => LARGE } as unknown as LatestChangesRepository;
    const live = new LiveChanges(latest, changes, {} as PostDeletionsService);
    for (const version of [1, 2]) follower.add([{ at: DATE, id: 7, version, post: undefined }], DATE);
    follower.add([{ at: DATE, id: 8, version: 0, post: undefined }], DATE);
    const body = await live.open(undefined, ['id', 'title'], follower.client);
    const chunks = body.chunks()[Symbol.asyncIterator]();
    const read = async (): Promise<string> => ((await chunks.next()).value as Buffer).toString();
    expect(await read()).toContain('retry:');
    expect(await read()).toContain('data: {"id":7,"title":"Fog"}');
    expect(await read()).toContain('data: {"id":8,');
    follower.end();
    expect((await chunks.next()).done).toBe(true);
    await body.close();
  });

  it('keeps no place of a stream that it refuses', async () => {
    const deletions = { assertKnownSince: () => Promise.reject(new RangeError()) };
    const live = new LiveChanges(
      {} as LatestChanges,
      {} as LatestChangesRepository,
      deletions as unknown as PostDeletionsService,
    );
    await expect(live.open(DATE, undefined, { name: 'one' })).rejects.toThrow(RangeError);
    expect(live.count).toBe(0);
  });
});
