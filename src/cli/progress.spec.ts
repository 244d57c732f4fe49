import { jest } from '@jest/globals';
import { Progress, progressLine } from './progress.js';

afterEach(() => {
  jest.useRealTimers();
});

describe('progressLine', () => {
  it.each([
    [{ label: 'Storing', posts: 0, fraction: 0 }, 0, 'Storing: 0 %, 0 posts'],
    [
      { label: 'Storing', posts: 500_000, fraction: 0.5 },
      40_000,
      'Storing: 50 %, 500,000 posts, 12,500/s, 0:40 left',
    ],
    [{ label: 'Storing', posts: 1.5, fraction: 0.001 }, 10_000, 'Storing: 0 %, 1 posts, 0/s, 2:46:30 left'],
    [
      { label: 'Reading', posts: 3_000, fraction: undefined },
      2_000,
      'Reading: 3,000 posts, 1,500/s, 0:02 so far',
    ],
  ])('reports %o after %d ms', (state, elapsedMs, line) => {
    expect(progressLine(state, elapsedMs, false)).toBe(line);
  });

  it('draws a bar only when the fraction is known', () => {
    expect(progressLine({ label: 'Writing', posts: 5, fraction: 0.25 }, 1_000, true)).toBe(
      'Writing: [######------------------] 25 %, 5 posts, 5/s, 0:03 left',
    );
    expect(progressLine({ label: 'Writing', posts: 5, fraction: undefined }, 1_000, true)).not.toContain('[');
  });
});

describe('Progress', () => {
  it('updates one line on a terminal, and clears it at the end', () => {
    jest.useFakeTimers();
    const written: string[] = [];
    const progress = new Progress({ isTTY: true, write: (text) => written.push(text) });
    progress.show({ label: 'Writing', posts: 5, fraction: 0.5 });
    jest.advanceTimersByTime(250);
    progress.end();
    progress.end();
    expect(written).toHaveLength(3);
    expect(written[0]).toMatch(/Writing: \[#{12}-{12}\] 50 %, 5 posts, .*\/s, .* left$/);
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  it('writes a line every few seconds when the output is not a terminal', () => {
    jest.useFakeTimers();
    const written: string[] = [];
    const progress = new Progress({ write: (text) => written.push(text) });
    progress.show({ label: 'Writing', posts: 5, fraction: 0.5 });
    jest.advanceTimersByTime(11_000);
    progress.end();
    jest.advanceTimersByTime(11_000);
    expect(written).toHaveLength(2);
    expect(written[1]).toMatch(/^Writing: 50 %, 5 posts, .*left\n$/);
  });
});
