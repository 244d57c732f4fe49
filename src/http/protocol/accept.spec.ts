import { negotiate, negotiateCoding, type Offer } from './accept.js';

const json: Offer = { mediaType: 'application/json' };
const ndjson: Offer = { mediaType: 'application/x-ndjson' };
const csv: Offer = { mediaType: 'text/csv' };
const atom: Offer = { mediaType: 'application/atom+xml' };
const html: Offer = { mediaType: 'text/html' };
const offers = [json, ndjson, csv, atom, html];

describe('negotiate', () => {
  it.each([
    ['is absent', undefined],
    ['is empty', ''],
    ['is any type', '*/*'],
    ['has any type after an unknown type', 'image/avif, */*;q=0.8'],
  ])('chooses the first offer when Accept %s', (_, accept) => {
    expect(negotiate(accept, offers)).toBe(json);
  });

  it.each([
    ['an exact type', 'text/csv', csv],
    ['a type in another case', 'Text/CSV', csv],
    ['the higher weight', 'text/csv;q=0.5, text/html;q=0.501', html],
    ['the higher weight over the position', 'application/json;q=0.8,text/html', html],
    ['the server’s order when weights are equal', 'text/html, text/csv', csv],
    ['the only known type', 'application/json2, application/atom+xml', atom],
    ['q=0 on a type', 'application/json;q=0, */*', ndjson],
    ['q=0 on a type range', '*/*, application/*;q=0.000', csv],
    ['any position of q among the parameters', 'text/csv;q=0.5;charset=utf-8, text/html;q=0.6', html],
    ['the highest weight of a repeated range', 'text/html;q=0.1, text/csv;q=0.3, text/html;q=0.5', html],
  ])('honours %s', (_, accept, offer) => {
    expect(negotiate(accept, offers)).toBe(offer);
  });

  it.each([
    ['a type over its type range', 'text/*;q=0.9, text/csv;q=0.1', html],
    ['a type range over any type', '*/*;q=0.9, application/*;q=0.1', csv],
    ['q=0 on a type over its type range', 'text/*, text/csv;q=0', html],
    ['a type over its type range, in either order', 'text/csv;q=0.1, text/*;q=0.9', html],
  ])('prefers the more specific range: %s', (_, accept, offer) => {
    expect(negotiate(accept, offers)).toBe(offer);
  });

  it.each([
    ['charset=utf-8 on an offer without it', 'application/json;charset=utf-8', json],
    ['an unknown parameter', 'application/json; indent=2', json],
    ['a parameter named like an object property', 'application/json;constructor=x', json],
    ['a comma within quotes', 'text/csv;x="a,b";q=0.1, text/html', html],
  ])('tolerates %s', (_, accept, offer) => {
    expect(negotiate(accept, offers)).toBe(offer);
  });

  it.each([
    ['the start of a type', 'application/jso'],
    ['another type range', 'image/*'],
    ['another charset', 'application/json;charset=iso-8859-1'],
    ['another charset beside an unknown parameter', 'application/json;indent=2;charset=latin1'],
    ['q=0 on any type', '*/*;q=0'],
    ['q=0 on the only type', 'application/json;q=0'],
    ['a name that is not a type', 'json'],
    ['a subtype of any type', '*/json'],
  ])('accepts no offer for %s', (_, accept) => {
    expect(negotiate(accept, offers)).toBeUndefined();
  });

  it.each(['1.001', '2', '-1', '0.1234', '.5', '1.0000', '1e0', 'high', ''])(
    'skips a range whose q is %j',
    (weight) => {
      expect(negotiate(`application/json;q=${weight}`, offers)).toBeUndefined();
      expect(negotiate(`text/csv;q=${weight}, text/html;q=0.1`, offers)).toBe(html);
    },
  );
});

describe('negotiateCoding', () => {
  it.each([
    ['identity without the field', undefined, 'identity'],
    ['identity for an empty field', '', 'identity'],
    ['identity for unknown codings', 'deflate, zstd', 'identity'],
    ['gzip', 'gzip', 'gzip'],
    ['gzip by its old name', 'x-gzip', 'gzip'],
    ['br for the field of a browser', 'gzip, deflate, br', 'br'],
    ['br at equal weights', 'gzip;q=0.7,br;q=0.7', 'br'],
    ['gzip when it weighs more', 'br;q=0.5, gzip;q=0.501', 'gzip'],
    ['br for any coding', '*', 'br'],
    ['gzip for any coding but br', 'br;q=0, *;q=0.5', 'gzip'],
    ['br when any coding weighs more than gzip', 'gzip;q=0.5, *;q=0.8', 'br'],
    ['gzip when it weighs more than any coding', 'gzip, *;q=0.5', 'gzip'],
    ['identity when br and gzip are refused', 'br;q=0, gzip;q=0', 'identity'],
    ['identity when all are refused', '*;q=0', 'identity'],
    ['identity when it weighs more than gzip', 'identity, gzip;q=0.5', 'identity'],
    ['gzip when identity weighs less', 'gzip;q=1.0, identity; q=0.5, *;q=0', 'gzip'],
    ['gzip when identity weighs the same', 'gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['gzip when x-gzip is refused', 'x-gzip;q=0, gzip', 'gzip'],
  ])('chooses %s', (_, header, coding) => {
    expect(negotiateCoding(header)).toBe(coding);
  });

  it.each(['br;q=2', 'br;q=0.1234', 'br;q=', '"br"', 'b r'])('skips the malformed element %j', (element) => {
    expect(negotiateCoding(element)).toBe('identity');
    expect(negotiateCoding(`${element}, gzip;q=0.1`)).toBe('gzip');
  });
});
