import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from '../../src/access/network.ts';

test('an IPv4 address is its own network, however it is written, and an IPv6 address belongs to its /64', () => {
  const networks = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '2001:db8:0:1::1': '2001:0db8:0000:0001::/64',
    '2001:db8:0:1:ffff:ffff:ffff:ffff': '2001:0db8:0000:0001::/64',
    '2001:db8:0:2::1': '2001:0db8:0000:0002::/64',
    '::1': '0000:0000:0000:0000::/64',
    'no address': 'unknown',
    '': 'unknown',
  };
  for (const [address, network] of Object.entries(networks)) assert.equal(networkOf(address), network);
});
