import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clientNetwork, withoutPort } from './client-network.js';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
  ['2001:0DB8:0000:0007:FFFF:0:0:1', '2001:db8:0:7::/64'],
  ['2001:db8::7:0:0:0:1', '2001:db8:0:7::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001::7:6:5:4:3', '2001:0:0:7::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

it.each([
  ['192.0.2.1:1025', '192.0.2.1'],
  ['192.0.2.1:65535', '192.0.2.1'],
  ['192.0.2.1:', '192.0.2.1'],
  ['192.0.2.1:_hidden.port-1', '192.0.2.1'],
  [' 192.0.2.1:1025 ', '192.0.2.1'],
  ['::ffff:192.0.2.1:1025', clientNetwork('::ffff:192.0.2.1')],
  ['[::ffff:192.0.2.1]:1025', clientNetwork('::ffff:192.0.2.1')],
  ['[2001:db8:0:7::1]', '2001:db8:0:7::/64'],
  ['[2001:db8:0:7::1]:443', '2001:db8:0:7::/64'],
  ['[fe80::1%eth0]:443', 'fe80:0:0:0::/64'],
  ['2001:db8:0:7:1:2:3:4:443', '2001:db8:0:7::/64'],
])('%j, with a port from a proxy, counts as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

it('takes an IPv6 address without brackets whole', () => {
  expect(withoutPort('2001:db8::1:443')).toBe('2001:db8::1:443');
  expect(clientNetwork('2001:db8:0:7::443')).toBe('2001:db8:0:7::/64');
});

it.each([
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ['::ffff:0:192.0.2.1', '::ffff:0:192.0.2.2'],
  ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.2'],
])('%s is counted on its own', (one, other) => {
  expect(clientNetwork(one)).not.toBe(clientNetwork(other));
});

it.each(['unknown', '', ':', '::1]/[', 'a:b', 'a:443', '[a]:443', '192.0.2:1', '1.2.3.4:5:6'])(
  'keeps %j as it is',
  (text) => {
    expect(clientNetwork(text)).toBe(text);
  },
);

it('has no text that a database refuses', () => {
  expect(clientNetwork('\0\ud800')).toBe('\ufffd\ufffd');
});

it('cuts long text from a proxy', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 9_000, size: 'max' }), fc.ipV6()), (text) => {
      expect(clientNetwork(text).length).toBeLessThanOrEqual(64);
    }),
  );
});
