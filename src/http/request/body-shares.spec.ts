import { TooManyBodies, TooManyImports } from '../../problem-details/problems.js';
import { BodyShares } from './body-shares.js';

const MIB = 1_048_576;
const SMALL = 65_536;

describe('BodyShares', () => {
  it('gives one client half of the bytes, and always has room for small bodies', () => {
    const shares = new BodyShares(16 * MIB);
    const large = shares.openBody('a');
    large.hold(32 * MIB + SMALL);
    expect(() => shares.openBody('a').hold(SMALL + 1)).toThrow(TooManyBodies);
    shares.openBody('a').hold(SMALL);
    shares.openBody('b').hold(32 * MIB + SMALL);
    expect(() => shares.openBody('c').hold(SMALL + 1)).toThrow(TooManyBodies);
    shares.openBody('c').hold(SMALL);
    large.release();
    shares.openBody('c').hold(SMALL + 1);
  });

  it('leaves room for the other bodies when one of many is refused', () => {
    const shares = new BodyShares(16 * MIB);
    const bodies = Array.from({ length: 8 }, (_, client) => shares.openBody(`client ${client}`));
    for (const body of bodies) body.hold(8 * MIB + SMALL);
    const outcomes = bodies.map((body) => {
      try {
        body.hold(8 * MIB);
        return 'held';
      } catch {
        return 'refused';
      }
    });
    expect(outcomes).toEqual(bodies.map((_, index) => (index % 2 === 0 ? 'refused' : 'held')));
  });

  it('counts the bytes that are held, not those that were', () => {
    const shares = new BodyShares(16 * MIB);
    const share = shares.openBody('a');
    for (let line = 0; line < 10; line += 1) {
      share.hold(10 * MIB);
      expect(shares.heldBytes).toBe(10 * MIB - SMALL);
      share.hold(-10 * MIB);
    }
    expect(shares.heldBytes).toBe(0);
  });

  it('gives one client 512 bodies and 4 imports at a time', () => {
    const shares = new BodyShares(16 * MIB);
    const bodies = Array.from({ length: 512 }, () => shares.openBody('a'));
    expect(() => shares.openBody('a')).toThrow(TooManyBodies);
    shares.openBody('b');
    bodies[0]!.release();
    shares.openBody('a');
    for (let count = 0; count < 4; count += 1) shares.openStream('a');
    expect(() => shares.openStream('a')).toThrow(TooManyImports);
    shares.openStream('b');
  });
});
