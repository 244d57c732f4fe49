import { parseMediaType, parseMediaTypes } from './media-type.js';

describe('parseMediaType', () => {
  it.each([
    ['Application/JSON', 'application/json', {}],
    ['text/csv \t; \tCHARSET=UTF-8', 'text/csv', { charset: 'UTF-8' }],
    ['text/csv; charset="utf-8"; header=present', 'text/csv', { charset: 'utf-8', header: 'present' }],
    ['multipart/form-data; boundary="a;b=\\"c\\\\"', 'multipart/form-data', { boundary: 'a;b="c\\' }],
    ['application/jsonl', 'application/x-ndjson', {}],
    ['Application/NDJSON; charset=utf-8', 'application/x-ndjson', { charset: 'utf-8' }],
    ['', '', {}],
    ['application/json; charset="utf-8', 'application/json', {}],
    ['application/json; charset=utf-8; Charset=latin1', 'application/json', { charset: 'utf-8' }],
  ])('reads %j', (header, type, parameters) => {
    const parsed = parseMediaType(header);
    expect([parsed.type, { ...parsed.parameters }]).toEqual([type, parameters]);
  });
});

describe('parseMediaTypes', () => {
  it.each([
    [' , ,', []],
    ['text/csv, application/jsonl;q=0.5', ['text/csv', 'application/x-ndjson']],
    ['text/csv;header="a,b" , text/html', ['text/csv', 'text/html']],
  ])('splits %j', (field, types) => {
    expect([...parseMediaTypes(field)].map(({ type }) => type)).toEqual(types);
  });
});
