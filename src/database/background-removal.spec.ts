import type { Logger } from 'pino';
import { setImmediate as turn } from 'node:timers/promises';
import { BackgroundRemoval } from './background-removal.js';

/** Removes some rows when it is told to, and always has more of them. */
class Removal extends BackgroundRemoval {
  runs = 0;
  end!: () => void;

  constructor() {
    super('Rows', {} as Logger);
  }

  protected removeSome(): Promise<boolean> {
    this.runs += 1;
    return new Promise((resolve) => (this.end = () => resolve(true)));
  }
}

describe('BackgroundRemoval', () => {
  it('has ended its transaction, and begins no other one, when the database is closed after it', async () => {
    const removal = new Removal();
    const removing = removal.removeOld();
    let isStopped = false;
    const stopping = removal.onModuleDestroy().then(() => (isStopped = true));
    await turn();
    expect(isStopped).toBe(false);
    removal.end();
    await Promise.all([stopping, removing]);
    expect(removal.runs).toBe(1);
  });
});
