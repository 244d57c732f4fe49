import type { Request } from 'express';
import { InvalidRequest } from '../../problem-details/problems.js';
import { readSettings } from '../../settings/settings.js';
import { baseUrls } from './host.js';

interface Sent {
  readonly host?: string | undefined;
  readonly protocol?: string;
  readonly localAddress?: string;
}

function baseUrlsOf(environment: Record<string, string>): (sent: Sent) => string {
  const baseUrlOf = baseUrls(readSettings(environment, { isTerminal: false }));
  return ({ host, protocol = 'http', localAddress }) => {
    const request = { headers: { host }, host, protocol, socket: { localAddress, localPort: 3000 } };
    return baseUrlOf(request as unknown as Request);
  };
}

const baseUrl = (environment: Record<string, string>, sent: Sent) => baseUrlsOf(environment)(sent);

describe('baseUrls', () => {
  it.each<[Record<string, string>, Sent, string]>([
    [{}, { host: 'a.example' }, 'http://a.example'],
    [{}, { host: 'a.example:8080', protocol: 'https' }, 'https://a.example:8080'],
    [{}, { host: 'a.example', protocol: 'HTTPS' }, 'https://a.example'],
    [{}, { host: '[2001:db8::1]:80' }, 'http://[2001:db8::1]:80'],
    [{}, { host: '[::ffff:127.0.0.1]' }, 'http://[::ffff:127.0.0.1]'],
    [{}, { host: 'under_score.example' }, 'http://under_score.example'],
    [{ BASE_PATH: '/blog/' }, { host: 'a.example' }, 'http://a.example/blog'],
    [{}, { localAddress: '127.0.0.1' }, 'http://127.0.0.1:3000'],
    [{}, { localAddress: '::1' }, 'http://[::1]:3000'],
    [{ BASE_PATH: '/blog' }, { host: '', localAddress: '::1' }, 'http://[::1]:3000/blog'],
    [{ PUBLIC_URL: 'https://b.example/x/' }, { host: 'a"b', protocol: 'gopher' }, 'https://b.example/x'],
    [{ PUBLIC_URL: 'https://b.example', BASE_PATH: '/blog' }, { host: 'a' }, 'https://b.example'],
  ])('with %j give %j the base URL %s', (environment, sent, expected) => {
    expect(baseUrl(environment, sent)).toBe(expected);
  });

  it.each([
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'a@b',
    'a\\b',
    'a,b',
    'a:b',
    'a:123456',
    ':80',
    '[::1',
    '::1',
    '[::1]x',
    '<b>',
    'é',
  ])('refuse the host %s', (host) => {
    expect(() => baseUrl({}, { host })).toThrow(InvalidRequest);
  });

  it.each(['', 'javascript', 'https, http', 'http://evil.example/', '>'])(
    'refuse the scheme "%s"',
    (protocol) => {
      expect(() => baseUrl({}, { host: 'a', protocol })).toThrow(InvalidRequest);
    },
  );

  it.each<[Record<string, string>]>([[{}], [{ TRUST_PROXY: '1' }]])(
    'with %j give each request its own base URL',
    (environment) => {
      const baseUrlOf = baseUrlsOf(environment);
      const requests = [
        { host: 'a' },
        { host: 'a' },
        { host: 'b' },
        { host: 'a' },
        { localAddress: '10.0.0.1' },
        { localAddress: '10.0.0.2' },
        { host: 'a' },
      ];
      expect(requests.map(baseUrlOf)).toEqual([
        'http://a',
        'http://a',
        'http://b',
        'http://a',
        'http://10.0.0.1:3000',
        'http://10.0.0.2:3000',
        'http://a',
      ]);
    },
  );
});
