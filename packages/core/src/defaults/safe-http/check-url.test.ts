import { describe, expect, it } from 'vitest';
import { createUrlCheck, isPublicAddress } from './check-url.js';

const checkUrl = createUrlCheck({ allowPrivateNetworks: false, allowPlainHttp: false });

it('caches the decision for a URL', () => {
  const url = 'https://hooks.test/webhooks';
  expect(checkUrl(url)).toBe(checkUrl(url));
});

it('caches a thousand decisions and evicts the oldest', () => {
  const first = checkUrl('https://first.test/');
  for (let count = 1; count < 1_000; count += 1) checkUrl(`https://hooks.test/${count}`);
  expect(checkUrl('https://first.test/')).toBe(first);
  checkUrl('https://hooks.test/1000');
  expect(checkUrl('https://first.test/')).not.toBe(first);
});

it('caches URLs up to the length limit of an endpoint, to bound its memory', () => {
  const longest = 'https://hooks.test/'.padEnd(2_048, 'a');
  expect(checkUrl(longest)).toBe(checkUrl(longest));
  for (const url of [`${longest}a`, longest.padEnd(250_000, 'a')]) {
    expect(checkUrl(url)).toMatchObject({ kind: 'allowed' });
    expect(checkUrl(url)).not.toBe(checkUrl(url));
  }
});

it.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.'])(
  'recognizes %s as this machine without a lookup',
  (host) => {
    expect(checkUrl(`https://${host}/`)).toMatchObject({ kind: 'refused', failure: 'address_refused' });
  },
);

it('accepts names that only resemble this machine', () => {
  expect(checkUrl('https://notlocalhost/')).toMatchObject({ kind: 'allowed' });
  expect(checkUrl('https://localhost.example.com/')).toMatchObject({ kind: 'allowed' });
});

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '192.169.0.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2606:4700::1:5efe:7f00:1',
  '2001:4860:4860::8888',
  '2a00:1450:4001:81b::200e',
  '2600::1',
];

const NOT_PUBLIC: readonly (readonly [string, string])[] = [
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '10.255.255.255'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['metadata in carrier-grade NAT', '100.100.100.200'],
  ['carrier-grade NAT', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.0.1'],
  ['metadata', '169.254.169.254'],
  ['container credentials', '169.254.170.2'],
  ['platform agent', '168.63.129.16'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['protocol assignments', '192.0.0.1'],
  ['metadata in protocol assignments', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['6to4 relays', '192.88.99.1'],
  ['private', '192.168.0.1'],
  ['private', '192.168.255.255'],
  ['benchmark', '198.18.0.1'],
  ['benchmark', '198.19.255.255'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.250'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback in full', '0:0:0:0:0:0:0:1'],
  ['IPv4-mapped', '::ffff:127.0.0.1'],
  ['IPv4-mapped', '::ffff:7f00:1'],
  ['IPv4-mapped public', '::ffff:8.8.8.8'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-compatible', '::7f00:1'],
  ['IPv4-compatible public', '::8.8.8.8'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64', '64:ff9b::8.8.8.8'],
  ['local NAT64', '64:ff9b:1::1'],
  ['discard', '100::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['benchmark', '2001:2::1'],
  ['ORCHID', '2001:10::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['protocol assignments', '2001:1ff:ffff::1'],
  ['documentation', '2001:db8::1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['6to4 of a public address', '2002:808:808::1'],
  ['documentation', '3fff::1'],
  ['ISATAP', '2606:4700::5efe:7f00:1'],
  ['ISATAP', '2606:4700::200:5efe:7f00:1'],
  ['ISATAP under a whole prefix', '2606:4700:1:2:0:5efe:7f00:1'],
  ['not yet handed out', '4000::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['metadata in unique local', 'fd00:ec2::254'],
  ['metadata in unique local', 'fd20:ce::254'],
  ['link-local', 'fe80::1'],
  ['link-local with zone', 'fe80::1%eth0'],
  ['public with zone', '2606:4700:4700::1111%1'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['multicast', 'ff0e::1'],
  ['no address', ''],
  ['a name', 'example.com'],
  ['in brackets', '[2606:4700:4700::1111]'],
  ['shorthand', '8.8'],
  ['one number', '134744072'],
  ['hexadecimal', '0x8.0x8.0x8.0x8'],
  ['octal', '010.8.8.8'],
  ['with white space', ' 8.8.8.8'],
  ['with a network length', '8.8.8.8/32'],
];

/** Other notations of addresses, which the WHATWG parser normalizes. */
const DISGUISED = [
  'https://0x7f.1/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://0/',
  'https://0xA9FEA9FE/',
  'https://169.254.43518/',
  'https://１２７.０.０.１/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://127%2e0%2e0%2e1/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b::169.254.169.254]/',
  'https://[2002:a9fe:a9fe::]/',
];

describe('isPublicAddress', () => {
  it.each(PUBLIC)('accepts %s as public', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each(NOT_PUBLIC)('rejects %s: %s', (_kind, ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each(DISGUISED)('rejects %s', (url) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    expect(host).toMatch(/^(?:[\d.]+|[\da-f:]+)$/);
    expect(isPublicAddress(host)).toBe(false);
  });
});
