import { postgresTarget, readPostgresUrl, shownAddress } from './postgres-url.js';

const REQUIRED = 'postgres://h/d?sslmode=require&uselibpqcompat=true';

describe('postgresTarget', () => {
  it.each([
    ['postgres://u:p@h:5432/d', 'postgres://u:p@h:5432/d', ''],
    ['postgres://h/d?keepAliveInitialDelayMillis=1', 'postgres://h/d?keepAliveInitialDelayMillis=1', ''],
    ['postgres://h/d?sslmode=require', REQUIRED, ''],
    ['postgres://h/d?options=-csearch_path%3Dx', 'postgres://h/d', '-csearch_path=x'],
    ['postgres://h/d?schema=a%20%22b', 'postgres://h/d', String.raw`-c search_path="a\ ""b"`],
  ])('reads %s', (url, connectionString, options) => {
    expect(readPostgresUrl(url)).toBe(url);
    expect(postgresTarget(url)).toMatchObject({ connectionString, options });
  });
});

describe('shownAddress', () => {
  it.each([
    ['postgres://u:p@h:5432/d?sslmode=require', 'postgres://h:5432/d'],
    ['postgres:///d?host=/var/run/postgresql', 'postgres:///d'],
  ])('of %s has neither user nor password', (url, shown) => expect(shownAddress(url)).toBe(shown));
});
