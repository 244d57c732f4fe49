import express from 'express';
import { clientOf, isTrustedProxy, trustProxies } from './client-address.js';

describe('clientOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7', '::ffff:192.0.2.7'],
    ['2001:db8:1:2::/64', '2001:DB8:1:2::1'],
    ['2001:db8:1:2::/64', '2001:0db8:0001:0002:ffff:ffff:ffff:ffff'],
    ['fe80:0:0:0::/64', 'fe80::1%eth0'],
    ['64:ff9b:0:0::/64', '64:ff9b::192.0.2.7'],
    ['unknown'.repeat(10).slice(0, 64), 'unknown'.repeat(10_000)],
    ['203.0.113.9', '203.0.113.9:4711'],
    ['2001:db8:0:0::/64', '[2001:db8::9]:443'],
    ['2001:db8:0:0::/64', '[2001:db8::9]'],
    ['203.0.113.9', '203.0.113.9:1'],
    ['203.0.113.9', '203.0.113.9:65535'],
    ['203.0.113.9', '203.0.113.9:471100'],
    ['203.0.113.9', '203.0.113.9:'],
    ['203.0.113.9', '203.0.113.9:_word'],
    ['203.0.113.9', '"203.0.113.9"'],
    ['203.0.113.9', '"203.0.113.9:4711"'],
    ['203.0.113.9', ' 203.0.113.9\t'],
    ['203.0.113.9', '::ffff:cb00:7109'],
    ['203.0.113.9', '0:0:0:0:0:FFFF:203.0.113.9'],
    ['203.0.113.9', '[::ffff:203.0.113.9]:443'],
    ['203.0.113.9', '"[::FFFF:CB00:7109]:443"'],
    ['2001:db8:0:0::/64', '"[2001:db8::9]:443"'],
    ['2001:db8:0:0::/64', '[2001:db8::9]:443443'],
    ['fe80:0:0:0::/64', '[fe80::1%eth0]:443'],
    ['0:0:0:0::/64', '[::1]:123'],
    ['unknown', 'unknown:4711'],
    ['_hidden', '_hidden:_word'],
    ['203.0.113.999', '203.0.113.999'],
    ['[::1]x', '[::1]x'],
    ['user_account:1', 'user account:1'],
    ['', undefined],
  ])('gives %s', (client, address) => {
    expect(clientOf(address)).toBe(client);
  });
});

describe('isTrustedProxy', () => {
  it('knows a proxy in each form of its address, and no connection that was reset and has none', () => {
    const app = express();
    trustProxies(app, ['127.0.0.0/8', '::1']);
    for (const address of ['127.0.0.1', '127.0.0.1:4711', '::ffff:127.0.0.1', '[::1]:80'])
      expect(isTrustedProxy(app, address)).toBe(true);
    expect(isTrustedProxy(app, '192.0.2.7')).toBe(false);
    expect(isTrustedProxy(app, undefined)).toBe(false);
  });
});
