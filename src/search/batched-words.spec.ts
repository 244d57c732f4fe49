import { EventEmitter, once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { DatabaseFault } from '../database/database-fault.js';
import { BatchedWords } from './index-upkeep.js';

const events = new EventEmitter();

describe('BatchedWords', () => {
  it('sorts once for all posts that arrive together, and again for later ones', async () => {
    let sorted = 0;
    const words: BatchedWords = new BatchedWords(async () => {
      sorted += 1;
      if (sorted === 1) words.note();
      events.emit('sorted');
    });
    for (let count = 0; count < 100; count++) words.note();
    expect(sorted).toBe(0);
    await once(events, 'sorted');
    expect(sorted).toBe(1);
    await once(events, 'sorted');
    expect(sorted).toBe(2);
    await setImmediate();
    words.note();
    await once(events, 'sorted');
    expect(sorted).toBe(3);
  });

  it('sorts again with the next words after a failure', async () => {
    const outcomes = [() => Promise.reject(new Error('down')), () => Promise.resolve()];
    const words = new BatchedWords(() => {
      events.emit('sorted');
      return outcomes.shift()!();
    });
    words.note();
    await once(events, 'sorted');
    await setImmediate();
    words.note();
    await once(events, 'sorted');
    expect(outcomes).toEqual([]);
  });

  it('stops sorting once the database has refused it', async () => {
    let attempts = 0;
    const words = new BatchedWords(() => {
      attempts += 1;
      events.emit('sorted');
      return Promise.reject(new DatabaseFault('unexpected'));
    });
    words.note();
    await once(events, 'sorted');
    await setImmediate();
    words.note();
    await sleep(300);
    expect(attempts).toBe(1);
  });
});
