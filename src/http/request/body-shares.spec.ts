import { TooManyBodies, TooManyImports } from '../../problem-details/problems.js';
import { BodyShares } from './body-shares.js';

const MIB = 1_048_576;
const SMALL = 65_536;

describe('BodyShares', () => {
  let shares: BodyShares;
  beforeEach(() => {
    shares = new BodyShares(16 * MIB);
  });

  it('gives one client half of the bytes, and always has room for small bodies', () => {
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
    const bodies = Array.from({ length: 8 }, (_, client) => shares.openBody(`client ${client}`));
    for (const body of bodies) body.hold(8 * MIB + SMALL);
    for (let index = 0; index < 8; index += 2) {
      expect(() => bodies[index]!.hold(8 * MIB)).toThrow(TooManyBodies);
      bodies[index + 1]!.hold(8 * MIB);
    }
  });

  it('counts the bytes that are held, not those that were, and those of an import twice', () => {
    for (const [share, weight] of [
      [shares.openBody('a'), 1],
      [shares.openStream('b'), 2],
    ] as const) {
      for (let line = 0; line < 10; line += 1) {
        share.hold(10 * MIB);
        expect(shares.heldBytes).toBe(weight * 10 * MIB - SMALL);
        share.hold(-10 * MIB);
      }
    }
    expect(shares.heldBytes).toBe(0);
  });

  it('gives one client 512 bodies and 4 imports at a time', () => {
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
