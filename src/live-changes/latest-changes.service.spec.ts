import { jest } from '@jest/globals';
import type { Logger } from 'pino';
import { until } from '../../test/support/until.js';
import type { ChangeListener } from '../database/index.js';
import type { PostListeners } from '../posts/writes/post-changes.js';
import type { ChangeFollower } from './change-follower.js';
import type { ChangedPost, ChangePlace, LatestChangesRepository } from './latest-changes.repository.js';
import { LatestChanges } from './latest-changes.service.js';

/** Changes that are committed in this test, after a position that stays. */
function setUp() {
  let listener!: ChangeListener<unknown>;
  let log: readonly ChangedPost[] = [];
  const changes = {
    horizon: async () => '5',
    page: async ({ at, id }: ChangePlace) =>
      log.filter((change) => change.at > at || (change.at === at && change.id > id)),
  } as unknown as LatestChangesRepository;
  const listeners = {
    add: (added: ChangeListener<unknown>) => (listener = added),
  } as unknown as PostListeners;
  const latest = new LatestChanges(changes, listeners, { warn: () => undefined } as unknown as Logger);
  const commit = (...changed: readonly ChangedPost[]): void => {
    log = changed;
    listener.onCommitted?.([]);
  };
  return { latest, changes, commit };
}

const deletionAt = (at: string): ChangedPost => ({ at, id: 7, version: 0, post: undefined });
const changeTo = (version: number, at: string): ChangedPost => ({ at, id: 7, version, post: undefined });

/** What the follower gets next, soon. */
async function nextOf(follower: ChangeFollower): Promise<ChangedPost | undefined> {
  const next = follower.take();
  if (next) return next.change;
  return (await follower.wait(5_000)) ? follower.take()?.change : undefined;
}

describe('LatestChanges', () => {
  it('passes on each change once, also while nothing before it is certain to be committed', async () => {
    const { latest, commit } = setUp();
    const follower = await latest.follow({ name: 'one' });
    commit(changeTo(1, '6'));
    expect(await nextOf(follower)).toEqual(changeTo(1, '6'));
    commit(changeTo(1, '6'), { ...changeTo(1, '7'), id: 8 });
    expect(await nextOf(follower)).toMatchObject({ id: 8 });
    commit(changeTo(2, '8'));
    expect(await nextOf(follower)).toEqual(changeTo(2, '8'));
    latest.unfollow(follower);
  });

  it('passes on the deletion of a post that was deleted, restored and deleted again', async () => {
    const { latest, commit } = setUp();
    const follower = await latest.follow({ name: 'one' });
    commit(deletionAt('6'));
    expect(await nextOf(follower)).toEqual(deletionAt('6'));
    commit(deletionAt('8'));
    expect(await nextOf(follower)).toEqual(deletionAt('8'));
    latest.unfollow(follower);
  });

  it('reads no more changes when nobody follows, also after a failed reading', async () => {
    const { latest, changes } = setUp();
    jest.spyOn(changes, 'horizon').mockRejectedValueOnce(new RangeError());
    await expect(latest.follow({ name: 'one' })).rejects.toThrow(RangeError);
    const follower = await latest.follow({ name: 'one' });
    expect(latest.position).toBe('5');
    latest.unfollow(follower);
    await until(() => latest.position === '');
  });
});
