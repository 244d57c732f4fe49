import { postgresTarget, readPostgresUrl, shownAddress } from './postgres-url.js';

const REQUIRED = 'postgres://h/d?sslmode=require&uselibpqcompat=true';
const DISABLED = 'postgres://h/d?sslmode=disable&uselibpqcompat=true';

describe('postgresTarget', () => {
  it.each<[string, string[], boolean, string]>([
    ['postgres://u:p@h:5432/d', ['postgres://u:p@h:5432/d'], false, ''],
    ['postgres://h/d?target_session_attrs=read-write', ['postgres://h/d'], true, ''],
    ['postgres://u:p@a:1,b/d', ['postgres://u:p@a:1/d', 'postgres://u:p@b/d'], true, ''],
    ['postgres://h/d?sslmode=require', [REQUIRED], false, ''],
    ['postgres://h/d?sslmode=prefer', [REQUIRED, DISABLED], false, ''],
    ['postgres://h/d?sslmode=allow', [DISABLED, REQUIRED], false, ''],
    ['postgres://h/d?options=-csearch_path%3Dx', ['postgres://h/d'], false, '-csearch_path=x'],
    ['postgres://h/d?schema=a%20%22b', ['postgres://h/d'], false, String.raw`-c search_path="a\ ""b"`],
  ])('reads %s', (url, urls, mustWrite, options) => {
    expect(readPostgresUrl(url)).toBe(url);
    expect(postgresTarget(url)).toMatchObject({ urls, mustWrite, options });
  });
});

describe('shownAddress', () => {
  it.each([
    ['postgres://u:p@h:5432/d?sslmode=require', 'postgres://h:5432/d'],
    ['postgres://u:p@a:1,b/d', 'postgres://a:1,b/d'],
    ['postgres:///d?host=/var/run/postgresql', 'postgres:///d'],
  ])('of %s has neither user nor password', (url, shown) => expect(shownAddress(url)).toBe(shown));
});
