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
    share.hold(10 * MIB);
    share.release();
    share.release();
    share.giveBack(10 * MIB);
    share.hold(10 * MIB);
    expect([quotas.bytes.held, quotas.imports.held]).toEqual([0, 0]);
  });

  it('counts at least 256 bytes for a chunk, because each takes memory', () => {
    const share = open('a');
    for (let chunk = 0; chunk < 1_000; chunk += 1) share.holdChunk(Buffer.alloc(1));
    expect(quotas.bytes.held).toBe(256_000 - SMALL);
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
