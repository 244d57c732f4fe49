import type { Request } from 'express';
import { InvalidRequest } from '../../problem-details/problems.js';
import { readSettings } from '../../settings/settings.js';
import { assertWellFormed, baseUrlOf, isAllowedHost } from './host.js';

interface Sent {
  readonly host?: string | undefined;
  readonly protocol?: string;
  readonly localAddress?: string;
}

const settingsOf = (environment: Record<string, string>) => readSettings(environment, { isTerminal: false });

function baseUrl(environment: Record<string, string>, sent: Sent): string {
  const { host, protocol = 'http', localAddress } = sent;
  const request = { context: { host }, protocol, socket: { localAddress, localPort: 3000 } };
  return baseUrlOf(request as unknown as Request, settingsOf(environment));
}

describe('baseUrlOf', () => {
  it.each<[Record<string, string>, Sent, string]>([
    [{}, { host: 'a.example:8080', protocol: 'HTTPS' }, 'https://a.example:8080'],
    [{ BASE_PATH: '/blog/' }, { host: '[2001:db8::1]:80' }, 'http://[2001:db8::1]:80/blog'],
    [{}, { localAddress: '127.0.0.1' }, 'http://127.0.0.1:3000'],
    [{}, { localAddress: '::1' }, 'http://[::1]:3000'],
    [{ PUBLIC_URL: 'https://b.example/x/', BASE_PATH: '/y' }, { host: 'a"b' }, 'https://b.example/x'],
  ])('with %j gives %j the base URL %s', (environment, sent, expected) => {
    expect(baseUrl(environment, sent)).toBe(expected);
  });

  it.each(['', 'javascript', 'https, http', 'http://evil.example/'])(
    'refuses the scheme "%s"',
    (protocol) => {
      expect(() => baseUrl({}, { host: 'a', protocol })).toThrow(InvalidRequest);
    },
  );
});

describe('assertWellFormed', () => {
  it.each(['a b', 'a/b', 'a@b', 'a:b', 'a:123456', '[::1', '<b>', 'é'])('refuses the host %s', (host) => {
    const request = { headers: { host }, rawHeaders: ['Host', host], context: {}, httpVersionMajor: 1 };
    expect(() => assertWellFormed(request as unknown as Request)).toThrow(InvalidRequest);
  });
});

describe('isAllowedHost', () => {
  const LOOPBACK = 'localhost LOCALHOST:3000 127.0.0.1 127.1.2.3:80 [::1] [::1]:3000 posts.localhost:80';
  const NOT_LOOPBACK =
    'evil.example 127.0.0.1.evil.example localhost.evil.example notlocalhost 10.0.0.1:3000 0.0.0.0 [::] ' +
    'localhost. 127.1 0x7f.1 2130706433 [::ffff:127.0.0.1] .localhost';
  const PUBLIC_URL = 'https://Posts.example:8443/x';
  const ALLOWED_HOSTS = 'Posts.example, *.example.org,10.0.0.7,2001:DB8:0::1';

  it.each<[Record<string, string>, string, string]>([
    [{}, LOOPBACK, NOT_LOOPBACK],
    [{ HOST: 'localhost' }, 'localhost:3000', 'evil.example'],
    [{ HOST: '::', PUBLIC_URL }, 'posts.example POSTS.Example:8443 localhost', 'posts.example. evil.example'],
    [
      { ALLOWED_HOSTS, PUBLIC_URL: 'https://public.example' },
      'posts.example a.example.org a.b.EXAMPLE.org:443 [2001:db8::1]:3000',
      'example.org evilexample.org a.example.org.evil 10.0.0.77 public.example',
    ],
    [{ HOST: '::' }, 'evil.example 10.0.0.1', ''],
    [{ TRUST_PROXY: '1' }, 'evil.example', ''],
  ])('with %j allows %s, and not %s', (environment, allowed, others) => {
    const settings = settingsOf(environment);
    for (const host of allowed.split(' '))
      expect([host, isAllowedHost(host, settings)]).toEqual([host, true]);
    for (const host of others.split(' ').filter(Boolean))
      expect([host, isAllowedHost(host, settings)]).toEqual([host, false]);
  });
});
