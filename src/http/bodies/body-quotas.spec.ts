import { TooBusy } from '../../problem-details/problems.js';
import { BodyQuotas, BodyShare } from './body-quotas.js';

const MIB = 1_048_576;
const SMALL = 65_536;

describe('BodyShare', () => {
  let quotas: BodyQuotas;
  beforeEach(() => {
    quotas = new BodyQuotas(16 * MIB);
  });
  const open = (client: string, isImport = false) => new BodyShare(client, quotas, isImport);

  it('gives one client the bytes of one largest body, and always has room for small bodies', () => {
    const large = open('a');
    large.hold(17 * MIB);
    expect(() => open('a').hold(MIB)).toThrow(TooBusy);
    open('a').hold(SMALL);
    for (const client of ['b', 'c', 'd']) open(client).hold(17 * MIB);
    expect(() => open('e').hold(MIB)).toThrow(TooBusy);
    open('e').hold(SMALL);
    large.release();
    open('e').hold(17 * MIB);
  });

  it('gives back everything of a body that is refused', () => {
    open('a').hold(17 * MIB);
    const refused = open('a');
    refused.hold(SMALL);
    expect(() => refused.hold(MIB)).toThrow(TooBusy);
    expect([quotas.bodies.held, quotas.bytes.held]).toEqual([1, 17 * MIB - SMALL]);
  });

  it('counts the bytes that are held, not those that were, and nothing once it is released', () => {
    const share = open('a', true);
    for (let line = 0; line < 10; line += 1) {
      share.hold(10 * MIB);
      expect(quotas.bytes.held).toBe(10 * MIB - SMALL);
      share.giveBack(10 * MIB);
    }
    share.release();
    share.release();
    share.hold(10 * MIB);
    expect([quotas.bytes.held, quotas.imports.held]).toEqual([0, 0]);
  });

  it('counts at least 256 bytes for a chunk, because each takes memory', () => {
    const share = open('a');
    for (let chunk = 0; chunk < 1_000; chunk += 1) share.holdChunk(Buffer.alloc(1));
    expect(quotas.bytes.held).toBe(256_000 - SMALL);
  });

  it('knows which import of each client began to wait first, and tells the next one when that ends', () => {
    const told: string[] = [];
    const [one, two, three, other] = ['a', 'a', 'a', 'b'].map((client) => open(client, true));
    const bodies = { one: one!, two: two!, three: three!, other: other! };
    for (const [name, body] of Object.entries(bodies)) body.beginToWait(() => told.push(name));
    bodies.two.beginToWait(() => told.push('twice'));
    const whole = open('c');
    whole.beginToWait(() => told.push('whole'));
    expect([whole.isFirst, whole.isBehind]).toEqual([false, false]);
    const first = () => Object.entries(bodies).flatMap(([name, { isFirst }]) => (isFirst ? [name] : []));
    expect(first()).toEqual(['one', 'other']);
    bodies.two.endWaiting();
    bodies.other.endWaiting();
    expect([first(), told]).toEqual([['one'], []]);
    bodies.one.endWaiting();
    bodies.one.endWaiting();
    expect([first(), told]).toEqual([['three'], ['three']]);
    bodies.one.beginToWait(() => told.push('again'));
    bodies.three.endWaiting();
    expect([first(), told]).toEqual([['one'], ['three', 'again']]);
    bodies.one.endWaiting();
    expect(first()).toEqual([]);
  });

  // test/http/fair-shares.http.load.ts has the number of imports.
  it('gives one client 256 bodies at a time', () => {
    const bodies = Array.from({ length: 256 }, () => open('a'));
    expect(() => open('a')).toThrow(TooBusy);
    open('b');
    bodies[0]!.release();
    open('a');
  });
});
