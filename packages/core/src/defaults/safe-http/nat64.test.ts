import { describe, expect, it } from 'vitest';
import { createNat64 } from './nat64.js';

const OWN = [
  '2001:db8::/32',
  '2001:dead:100::/40',
  '2001:abcd:122::/48',
  '2001:abcd:123:300::/56',
  '2001:abcd:124:344::/64',
  '2001:abcd:125:344::/96',
];

/** The same IPv4 address, 192.0.2.33 or 203.0.113.33 in RFC 6052, under a prefix of each length. */
function embed(v4: readonly [number, number, number, number]): readonly string[] {
  const hex = (...bytes: readonly number[]) =>
    Buffer.from(bytes)
      .toString('hex')
      .replace(/(.{4})(?=.)/g, '$1:');
  const [a, b, c, d] = v4;
  return [
    `2001:db8:${hex(a, b, c, d)}::`,
    `2001:dead:${hex(1, a, b, c)}:${hex(0, d)}::`,
    `2001:abcd:122:${hex(a, b, 0, c, d, 0)}::`,
    `2001:abcd:123:${hex(3, a, 0, b, c, d)}::`,
    `2001:abcd:124:344:${hex(0, a, b, c, d, 0)}::`,
    `2001:abcd:125:344::${hex(a, b, c, d)}`,
    `64:ff9b::${hex(a, b, c, d)}`,
    `64:ff9b::${v4.join('.')}`,
  ];
}

describe('isPublicAnswer', () => {
  const { isPublicAnswer } = createNat64(OWN);

  it.each(embed([93, 184, 216, 34]))('accepts %s, because the address inside is public', (ip) => {
    expect(isPublicAnswer(ip)).toBe(true);
  });

  it.each(
    [
      [10, 0, 0, 1],
      [127, 0, 0, 1],
      [169, 254, 169, 254],
      [168, 63, 129, 16],
      [100, 100, 100, 200],
      [0, 0, 0, 0],
    ].flatMap((v4) => embed(v4 as [number, number, number, number])),
  )('refuses %s, because the address inside is not public', (ip) => {
    expect(isPublicAnswer(ip)).toBe(false);
  });

  it.each([
    ['a reserved byte that is not zero', '2001:abcd:124:344:015d:b8d8:2200::'],
    ['a zone', '64:ff9b::5db8:d822%eth0'],
    ['a prefix that is not configured', '64:ff9b:1::5db8:d822'],
    ['a neighbour of the well-known prefix', '64:ff9b::1:5db8:d822'],
    ['no address', '64:ff9b'],
  ])('refuses %s', (_what, ip) => {
    expect(isPublicAnswer(ip)).toBe(false);
  });

  it('judges an address under two prefixes by both addresses inside', () => {
    const both = createNat64(['2001:db8::/32', '2001:db8:5db8:d822::/96']);
    expect(both.isPublicAnswer('2001:db8:5db8:d822::5db8:d822')).toBe(true);
    expect(both.isPublicAnswer('2001:db8:5db8:d822::a00:1')).toBe(false);
  });

  it('judges all other addresses as without NAT64', () => {
    expect(['93.184.216.34', '2606:4700:4700::1111'].every(isPublicAnswer)).toBe(true);
    expect(['10.0.0.1', '::1', '::ffff:93.184.216.34'].some(isPublicAnswer)).toBe(false);
  });
});

it.each([
  ['64:ff9b::', 'is not an IPv6 prefix'],
  ['10.0.0.0/8', 'is not an IPv6 prefix'],
  ['fe80::%1/64', 'is not an IPv6 prefix'],
  [96, 'is not an IPv6 prefix'],
  ['2001:db8::/95', 'a length of 32, 40, 48, 56, 64, 96'],
  ['2001:db8::/128', 'a length of 32, 40, 48, 56, 64, 96'],
  ['2001:db8::1/64', 'bits behind the prefix'],
])('refuses the prefix %j and names the fix', (prefix, problem) => {
  const message = expect.stringContaining(problem);
  expect(() => createNat64([prefix as string])).toThrow(
    expect.objectContaining({ code: 'MISCONFIGURED', message }),
  );
});
