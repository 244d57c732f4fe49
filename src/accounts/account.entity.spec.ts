import { usernameKey } from './account.entity.js';

describe('usernameKey', () => {
  it.each([
    ['admin', 'ADMIN'],
    ['Zo\u00EB', 'zoe\u0308'],
    ['\uFF41dmin', 'admin'],
    ['ΑΣ', 'ας'],
  ])('is the same for %j and %j', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other));
  });

  it.each([
    ['admin', 'admin1'],
    ['zoe', 'zoë'],
    // Cyrillic letters that look like Latin ones.
    ['admin', 'аdmin'],
  ])('distinguishes %j from %j', (one, other) => {
    expect(usernameKey(one)).not.toBe(usernameKey(other));
  });
});
