import { whenTimeToFold } from './fold.js';

/** Takes the processor for some milliseconds. */
function workFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

it('folds a short text of one client before the many long ones that another has sent', async () => {
  const done: string[] = [];
  const many = Array.from({ length: 30 }, () =>
    whenTimeToFold(8_192, () => {
      workFor(6);
      done.push('long');
    }),
  );
  await whenTimeToFold(100, () => done.push('short'));
  await Promise.all(many);
  expect(done).toHaveLength(31);
  expect(done.indexOf('short')).toBeLessThanOrEqual(2);
});
