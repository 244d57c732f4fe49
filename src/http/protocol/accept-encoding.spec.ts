import { negotiateCoding } from './accept-encoding.js';

describe('negotiateCoding', () => {
  it.each([
    ['nothing without the field', undefined, 'identity'],
    ['nothing for an empty field', '', 'identity'],
    ['nothing for an empty list', ', ,', 'identity'],
    ['nothing for codings it does not have', 'deflate, zstd', 'identity'],
    ['nothing when asked for nothing', 'identity', 'identity'],
    ['gzip', 'gzip', 'gzip'],
    ['gzip in other letters', 'GZip, deflate', 'gzip'],
    ['gzip by its old name', 'x-gzip', 'gzip'],
    ['gzip, which deflate is not', 'gzip, deflate', 'gzip'],
    ['br as browsers ask', 'gzip, deflate, br', 'br'],
    ['br as browsers with zstd ask', 'gzip, deflate, br, zstd', 'br'],
    ['br at equal weights', 'gzip;q=0.7,br;q=0.7', 'br'],
    ['gzip when it weighs more', 'br;q=0.5, gzip;q=0.501', 'gzip'],
    ['br when it weighs more', 'br;q=0.5, gzip ; q=0.4', 'br'],
    ['br for any coding', '*', 'br'],
    ['br for any coding but gzip', 'gzip;q=0, *', 'br'],
    ['gzip for any coding but br', 'br;q=0, *;q=0.5', 'gzip'],
    ['br for the weight of the rest', 'gzip;q=0.5, *;q=0.8', 'br'],
    ['gzip over the weight of the rest', 'gzip, *;q=0.5', 'gzip'],
    ['nothing when both are refused', 'br;q=0, gzip;q=0', 'identity'],
    ['nothing when all are refused', '*;q=0', 'identity'],
    ['nothing even when that is refused too', 'identity;q=0, *;q=0.000', 'identity'],
    ['nothing when that weighs more than gzip', 'identity, gzip;q=0.5', 'identity'],
    ['nothing when that weighs more than br', 'identity, br;q=0.5', 'identity'],
    ['gzip when nothing weighs less', 'gzip;q=1.0, identity; q=0.5, *;q=0', 'gzip'],
    ['gzip when nothing weighs as much', 'gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['gzip when nothing has no weight', 'gzip;q=0.001', 'gzip'],
    ['gzip with an upper-case Q', 'br;Q=0.1, gzip;Q=0.2', 'gzip'],
    ['gzip when one of its names is refused', 'x-gzip;q=0, gzip', 'gzip'],
    ['gzip when the other of its names is refused', 'gzip, x-gzip;q=0', 'gzip'],
  ])('chooses %s', (_, header, coding) => {
    expect(negotiateCoding(header)).toBe(coding);
  });

  it.each([
    ['br;q=2'],
    ['br;q=0.1234'],
    ['br;q='],
    ['br;'],
    ['br;level=5'],
    ['br;q=1;q=1'],
    ['br q=1'],
    ['"br"'],
    ['b r'],
  ])('skips the malformed element %j', (element) => {
    expect(negotiateCoding(element)).toBe('identity');
    expect(negotiateCoding(`${element}, gzip;q=0.1`)).toBe('gzip');
  });
});
