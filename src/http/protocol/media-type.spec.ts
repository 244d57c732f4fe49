import { parseMediaType, parseWord, splitOutsideQuotes } from './media-type.js';

describe('parseMediaType', () => {
  it.each([
    ['application/json', 'application/json', {}],
    ['Application/JSON', 'application/json', {}],
    ['application/vnd.api+json', 'application/vnd.api+json', {}],
    [' \ttext/csv ', 'text/csv', {}],
    ['text/csv;charset=utf-8', 'text/csv', { charset: 'utf-8' }],
    ['text/csv \t; \tCHARSET=UTF-8', 'text/csv', { charset: 'UTF-8' }],
    ['text/csv; charset="utf-8"; header=present', 'text/csv', { charset: 'utf-8', header: 'present' }],
    ['multipart/form-data; boundary="a;b=\\"c\\\\"', 'multipart/form-data', { boundary: 'a;b="c\\' }],
    ['text/plain; x=""', 'text/plain', { x: '' }],
    ['text/plain; x="é\t"', 'text/plain', { x: 'é\t' }],
    ['application/json;', 'application/json', {}],
    ['application/jsonl', 'application/x-ndjson', {}],
    ['Application/NDJSON; charset=utf-8', 'application/x-ndjson', { charset: 'utf-8' }],
    ['application/json; ;; charset=utf-8 ;', 'application/json', { charset: 'utf-8' }],
  ])('reads %j', (header, type, parameters) => {
    const parsed = parseMediaType(header);
    expect(parsed?.type).toBe(type);
    expect(Object.fromEntries(parsed?.parameters ?? [])).toEqual(parameters);
  });

  it.each([
    [''],
    ['json'],
    ['application/'],
    ['/json'],
    ['application/json/x'],
    ['application /json'],
    ['application/json, text/csv'],
    ['application/jsön'],
    ['application/json\u00a0'],
    ['application/json charset=utf-8'],
    ['application/json; charset'],
    ['application/json; charset='],
    ['application/json; =utf-8'],
    ['application/json; charset = utf-8'],
    ['application/json; charset=utf 8'],
    ['application/json; charset="utf-8'],
    ['application/json; charset="utf-8"x'],
    ['application/json; charset="utf-8\\"'],
    ['application/json; x="a"b"'],
    ['application/json; x="€"'],
    ['application/json; charset=utf-8; Charset=latin1'],
  ])('refuses %j', (header) => {
    expect(parseMediaType(header)).toBeUndefined();
  });
});

describe('parseWord', () => {
  it.each([
    ['exact', 'exact'],
    ['"exact"', 'exact'],
    ['"ex\\act"', 'exact'],
    ['""', ''],
    ['', undefined],
    ['two words', undefined],
    ['"', undefined],
    ['"\n"', undefined],
  ])('reads %j as %j', (text, value) => {
    expect(parseWord(text)).toBe(value);
  });
});

describe('splitOutsideQuotes', () => {
  it.each([
    ['a,b', ['a', 'b']],
    [' a\t, ,b ', ['a', '', 'b']],
    ['', ['']],
    ['x="a,b",c', ['x="a,b"', 'c']],
    ['x="a\\",b" , c', ['x="a\\",b"', 'c']],
    ['x="a\\\\",b', ['x="a\\\\"', 'b']],
    ['\\"a,b",c', ['\\"a,b"', 'c']],
    ['a,"b,c', ['a', '"b,c']],
  ])('splits %j at the commas outside quotes', (field, parts) => {
    expect(splitOutsideQuotes(field, ',')).toEqual(parts);
  });
});
