import type { Request } from 'express';
import { InvalidRequest } from '../../problem-details/problems.js';
import { readSettings } from '../../settings/settings.js';
import { assertWellFormed, baseUrlOf, isAllowedHost } from './host.js';

interface Sent {
  readonly host?: string | undefined;
  readonly protocol?: string;
  readonly localAddress?: string;
}

function baseUrl(
  environment: Record<string, string>,
  { host, protocol = 'http', localAddress }: Sent,
): string {
  const request = { context: { host }, protocol, socket: { localAddress, localPort: 3000 } };
  return baseUrlOf(request as unknown as Request, readSettings(environment, { isTerminal: false }));
}

describe('baseUrlOf', () => {
  it.each<[Record<string, string>, Sent, string]>([
    [{}, { host: 'a.example' }, 'http://a.example'],
    [{}, { host: 'a.example:8080', protocol: 'https' }, 'https://a.example:8080'],
    [{}, { host: 'a.example', protocol: 'HTTPS' }, 'https://a.example'],
    [{}, { host: '[2001:db8::1]:80' }, 'http://[2001:db8::1]:80'],
    [{ BASE_PATH: '/blog/' }, { host: 'a.example' }, 'http://a.example/blog'],
    [{}, { localAddress: '127.0.0.1' }, 'http://127.0.0.1:3000'],
    [{}, { localAddress: '::1' }, 'http://[::1]:3000'],
    [{ PUBLIC_URL: 'https://b.example/x/' }, { host: 'a"b', protocol: 'gopher' }, 'https://b.example/x'],
    [{ PUBLIC_URL: 'https://b.example', BASE_PATH: '/blog' }, { host: 'a' }, 'https://b.example'],
  ])('with %j gives %j the base URL %s', (environment, sent, expected) => {
    expect(baseUrl(environment, sent)).toBe(expected);
  });

  it.each(['', 'javascript', 'https, http', 'http://evil.example/', '>'])(
    'refuses the scheme "%s"',
    (protocol) => {
      expect(() => baseUrl({}, { host: 'a', protocol })).toThrow(InvalidRequest);
    },
  );
});

describe('assertWellFormed', () => {
  it.each(['a b', 'a/b', 'a#b', 'a@b', 'a:b', 'a:123456', '[::1', '<b>', 'é'])(
    'refuses the host %s',
    (host) => {
      const request = { headers: { host }, rawHeaders: ['Host', host], context: {}, httpVersionMajor: 1 };
      expect(() => assertWellFormed(request as unknown as Request)).toThrow(InvalidRequest);
    },
  );
});

/** Whether a service with these settings answers to these hosts. */
function areAllowed(environment: Record<string, string>, ...hosts: (string | undefined)[]): boolean {
  const settings = readSettings(environment, { isTerminal: false });
  return hosts.every((host) => isAllowedHost(host, settings));
}

describe('isAllowedHost', () => {
  it.each([
    ['posts.example', true],
    ['POSTS.Example:8443', true],
    ['localhost:3000', true],
    ['posts.example.', false],
    ['posts.example.evil', false],
  ])('with PUBLIC_URL=https://Posts.example:8443/x allows %s: %s', (host, expected) => {
    expect(areAllowed({ PUBLIC_URL: 'https://Posts.example:8443/x' }, host)).toBe(expected);
  });

  it.each([
    ['posts.example', true],
    ['a.example.org', true],
    ['a.b.EXAMPLE.org:443', true],
    ['[2001:db8::1]:3000', true],
    ['example.org', false],
    ['evilexample.org', false],
    ['a.example.org.evil', false],
    ['10.0.0.77', false],
    ['public.example', false],
  ])('with a list of ALLOWED_HOSTS allows %s: %s', (host, expected) => {
    const ALLOWED_HOSTS = 'Posts.example, *.example.org,10.0.0.7,2001:DB8:0::1';
    expect(areAllowed({ ALLOWED_HOSTS, PUBLIC_URL: 'https://public.example' }, host)).toBe(expected);
  });

  it('allows the loopback names by default, and no other spelling of them', () => {
    const names = 'localhost LOCALHOST:3000 127.0.0.1 127.1.2.3:80 [::1] [::1]:3000 posts.localhost:80';
    expect(names.split(' ').filter((host) => !areAllowed({}, host))).toEqual([]);
    const others =
      'evil.example 127.0.0.1.evil.example localhost.evil.example notlocalhost 127.0.0.1.nip.io ' +
      '10.0.0.1:3000 0.0.0.0 [::] [fe80::1] localhost. 127.1 0x7f.1 2130706433 [::ffff:127.0.0.1] ' +
      '.localhost localhost..evil.example';
    expect(others.split(' ').filter((host) => areAllowed({}, host))).toEqual([]);
  });

  it('allows any host when it does not know its own', () => {
    expect(areAllowed({ HOST: '::' }, 'evil.example', '10.0.0.1')).toBe(true);
    expect(areAllowed({ TRUST_PROXY: '1' }, 'evil.example', '10.0.0.1')).toBe(true);
    expect(areAllowed({ HOST: '::1' }, 'localhost', 'evil.example')).toBe(false);
  });

  it('allows a request without Host, as in HTTP/1.0', () => {
    expect(areAllowed({}, undefined, undefined)).toBe(true);
  });
});
