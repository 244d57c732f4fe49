import type { Database } from '../../database/index.js';
import { PostSnapshots } from './post-snapshots.js';

/** Snapshots of which each is opened while `onOpen` runs. */
function setUp(onOpen: () => void) {
  let closed = 0;
  const snapshot = async () => {
    onOpen();
    return { close: async () => void (closed += 1) };
  };
  const database = { maxSnapshots: 4, snapshot } as unknown as Database;
  return { snapshots: new PostSnapshots(database), closed: () => closed };
}

// test/http/slow-reads.load.ts has a client that disconnects later.
describe('PostSnapshots', () => {
  it('closes a snapshot whose client disconnects while it is opened', async () => {
    const gone = new AbortController();
    const { snapshots, closed } = setUp(() => gone.abort(new Error('gone')));
    await snapshots.open({ name: 'one', signal: gone.signal });
    expect(closed()).toBe(1);
  });
});
