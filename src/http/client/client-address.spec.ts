import { clientOf } from './client-address.js';

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
    ['203.0.113.9:x', '203.0.113.9:x'],
    ['user_account:1', 'user account:1'],
    ['', undefined],
  ])('gives %s', (client, address) => {
    expect(clientOf(address)).toBe(client);
  });
});
