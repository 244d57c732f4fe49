import { traceIdOf } from './trace-context.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('traceIdOf', () => {
  it.each([`00-${TRACE}-${PARENT}-01`, `01-${TRACE}-${PARENT}-00-of-a-later-version`])('reads %s', (field) =>
    expect(traceIdOf(field)).toBe(TRACE),
  );

  it.each([
    undefined,
    '',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
    [`00-${TRACE}-${PARENT}-01`],
  ])('ignores %j', (field) => expect(traceIdOf(field)).toBeUndefined());
});
