import type { Request } from 'express';
import { InvalidRequest } from '../../problem-details/problems.js';
import { readSettings } from '../../settings/settings.js';
import { assertWellFormed, baseUrlOf } from './host.js';

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
