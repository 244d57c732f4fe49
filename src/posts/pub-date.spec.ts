import { randomNumbers } from '../../test/support/properties.js';
import { formatPubDate, parsePubDate, PUB_DATE_RULE } from './pub-date.js';

const DAY_MS = 86_400_000;

describe('parsePubDate', () => {
  it.each([
    ['2026-11-20T14:40:00Z', '2026-11-20T14:40:00.000000Z'],
    ['2026-11-20 14:40+01:00', '2026-11-20T13:40:00.000000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000000Z'],
    ['2028-02-29T23:59:00-23:59', '2028-03-01T23:58:00.000000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000000Z'],
    ['0100-01-01T00:00:00+00:01', '0099-12-31T23:59:00.000000Z'],
    ['2027-01-01T00:30:00.5+01:00', '2026-12-31T23:30:00.500000Z'],
    ['2026-11-20t14:40:00z', '2026-11-20T14:40:00.000000Z'],
    ['2026-11-20 14:40:00+00', '2026-11-20T14:40:00.000000Z'],
    ['2026-11-20 14:40:00.123456-05', '2026-11-20T19:40:00.123456Z'],
    ['2026-11-20T14:40+01', '2026-11-20T13:40:00.000000Z'],
    ['2026-11-20T14:40:00+0000', '2026-11-20T14:40:00.000000Z'],
    ['2026-11-20T14:40:00.5-0330', '2026-11-20T18:10:00.500000Z'],
    ['2026-11-20 14:40:00.123456 UTC', '2026-11-20T14:40:00.123456Z'],
    ['2026-11-20 14:40 UTC', '2026-11-20T14:40:00.000000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('reads %s', (text, stored) => {
    expect(parsePubDate(text)).toBe(stored);
  });

  it.each([
    ['.1', '100000'],
    ['.123456999999999', '123456'],
    [',5', '500000'],
  ])('keeps microseconds and cuts further digits: %s', (fraction, micros) => {
    expect(parsePubDate(`2026-11-20T14:40:59${fraction}`)).toBe(`2026-11-20T14:40:59.${micros}Z`);
    expect(parsePubDate(`2026-11-20T14:40:59${fraction}Z`)).toBe(`2026-11-20T14:40:59.${micros}Z`);
  });

  /** Years out of bounds, and other faults, separated by spaces. */
  const withoutBlanks =
    '0000-01-01 0000-12-31T23:30:00-01:00 0001-01-01T00:00:00+00:01 9999-12-31T23:59:59-00:01 10000-01-01 +2026-11-20 ' +
    '2026-02-30T12:00:00+23:00 2026-02-29 1900-02-29 2026-13-01 2026-00-10 2026-01-00 yesterday 1763649600 2026-11 2026-11-2 ' +
    '2026/11/20 20261120 20261120T144000Z 2026-W47-5 2026-11-20Z 2026-11-20+01:00 2026-11-20T 2026-11-20T14 2026-11-20T4:40 ' +
    '2026-11-20T14:40: 2026-11-20T14:40:00. 2026-11-20T14:40:00.Z 2026-11-20T14:40:00.1.2Z 2026-11-20T14:40.5Z ' +
    '2026-11-20T24:00Z 2026-11-20T14:60:00Z 2016-12-31T23:59:60Z 2026-11-20T14:40:00+1 2026-11-20T14:40:00+010 ' +
    '2026-11-20T14:40:00+01000 2026-11-20T14:40:00+01: 2026-11-20T14:40:00+24 2026-11-20T14:40:00+0160 2026-11-20+01 ' +
    '2026-11-20T14:40:00+24:00 2026-11-20T14:40:00+01:60 2026-11-20T14:40:00ZZ 2026-11-20T14:40:00UTC 2026-11-20_14:40:00';

  it.each([
    ...withoutBlanks.split(' '),
    '',
    '2026-11-20T14:40:00\u221201:00',
    '2026-11-20T14:40:00 +01:00',
    '2026-11-20T14:40:00 utc',
    '2026-11-20T14:40:00  UTC',
    '2026-11-20 UTC',
    '2026-11-20T14:40:00 Z',
    ' 2026-11-20',
    '2026-11-20T14:40:00Z\n',
    '２０２６-11-20',
  ])('refuses %j', (text) => {
    expect(parsePubDate(text)).toBeUndefined();
  });

  it('agrees with Date about random instants and offsets', () => {
    const random = randomNumbers();
    const from = Date.parse('0001-01-03T00:00:00Z');
    const days = (Date.parse('9999-12-29T00:00:00Z') - from) / DAY_MS;
    const faults: string[] = [];
    for (let round = 0; round < 50_000; round++) {
      const instant = from + random(days) * DAY_MS + random(DAY_MS);
      const offsetMinutes = random(2_879) - 1_439;
      const local = new Date(instant + offsetMinutes * 60_000).toISOString().slice(0, -1);
      const micros = String(random(1_000)).padStart(3, '0');
      const hours = String(Math.floor(Math.abs(offsetMinutes) / 60)).padStart(2, '0');
      const minutes = String(Math.abs(offsetMinutes) % 60).padStart(2, '0');
      const text = `${local}${micros}${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`;
      const expected = `${new Date(instant).toISOString().slice(0, -1)}${micros}Z`;
      if (parsePubDate(text) !== expected) faults.push(`${text} is ${expected}, not ${parsePubDate(text)}`);
    }
    // One assertion for all: 50,000 assertions would take longer than the code under test.
    expect(faults).toEqual([]);
  });
});

describe('formatPubDate', () => {
  it.each([
    ['2026-11-20T14:40:00.000000Z', '2026-11-20T14:40:00.000Z'],
    ['2026-11-20T14:40:00.123000Z', '2026-11-20T14:40:00.123Z'],
    ['2026-11-20T14:40:00.123456Z', '2026-11-20T14:40:00.123456Z'],
    ['2026-11-20T14:40:00.123400Z', '2026-11-20T14:40:00.123400Z'],
  ])('writes %s as %s, which is parsed to the same value', (stored, text) => {
    expect(formatPubDate(stored)).toBe(text);
    expect(parsePubDate(text)).toBe(stored);
  });
});

describe('PUB_DATE_RULE', () => {
  it('contains only valid examples', () => {
    const examples = PUB_DATE_RULE.match(/\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?/g);
    expect(examples).toHaveLength(3);
    expect(examples?.map(parsePubDate)).not.toContain(undefined);
  });
});
