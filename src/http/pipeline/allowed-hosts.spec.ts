import { readSettings } from '../../settings/settings.js';
import { AllowedHosts } from './allowed-hosts.js';

/** Whether a service with these settings answers to these hosts. */
function areAllowed(environment: Record<string, string>, ...hosts: (string | undefined)[]): boolean {
  return new AllowedHosts(readSettings(environment, { isTerminal: false })).areAllowed(...hosts);
}

describe('AllowedHosts', () => {
  it.each([
    ['posts.example', true],
    ['POSTS.Example:8443', true],
    ['localhost:3000', true],
    ['[::1]:3000', true],
    ['www.posts.example', false],
    ['posts.example.', false],
    ['posts.example.evil', false],
  ])('with PUBLIC_URL=https://Posts.example:8443/x allows %s: %s', (host, expected) => {
    expect(areAllowed({ PUBLIC_URL: 'https://Posts.example:8443/x' }, host)).toBe(expected);
  });

  it.each([
    ['posts.example', true],
    ['Posts.Example:80', true],
    ['a.example.org', true],
    ['a.b.EXAMPLE.org:443', true],
    ['10.0.0.7:3000', true],
    ['[2001:db8::1]:3000', true],
    ['example.org', false],
    ['evilexample.org', false],
    ['a.example.org.evil', false],
    ['10.0.0.77', false],
    ['localhost', false],
    ['public.example', false],
  ])('with a list of ALLOWED_HOSTS allows %s: %s', (host, expected) => {
    const ALLOWED_HOSTS = 'Posts.example, *.example.org,10.0.0.7,2001:DB8:0::1';
    expect(areAllowed({ ALLOWED_HOSTS, PUBLIC_URL: 'https://public.example' }, host)).toBe(expected);
  });

  it('allows any host when it does not know its own', () => {
    expect(areAllowed({ HOST: '::' }, 'evil.example', '10.0.0.1')).toBe(true);
    expect(areAllowed({ HOST: '::1' }, 'localhost', 'evil.example')).toBe(false);
  });

  it('allows a request without Host, as in HTTP/1.0', () => {
    expect(areAllowed({}, undefined, undefined)).toBe(true);
  });
});
