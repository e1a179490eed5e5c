/** No webhook or résumé request goes to a private address. */

import { isIPv4 } from 'node:net';
import { startCanary } from '@partner-hiring/test-support/network/canary';
import { HOSTILE_ANSWERS, HOSTILE_HOSTS } from '@partner-hiring/test-support/network/hostile-addresses';
import { watchConnects } from '@partner-hiring/test-support/network/watched-connects';
import { afterAll, describe, expect, it } from 'vitest';
import { systemResolve } from '../../packages/core/src/defaults/safe-http/pinned-connect.js';
import type { SafeHttpOptions } from '../../packages/core/src/defaults/safe-http/safe-http.js';
import { createSafeTransport } from '../../packages/core/src/defaults/safe-transport.js';
import { createResumeSource } from '../../packages/core/src/features/resumes/defaults/resume-source.js';

const PUBLIC = ['93.184.215.14', '2606:4700:4700::1111'];
const REFUSED = ['address_refused', 'url_refused', 'name_not_resolved'];
/** A résumé round includes its quick retries. */
const ROUNDS = 5;
/** The well-known prefix of NAT64, and one of a network's own. */
const PREFIXES = ['64:ff9b::', '2600:abcd::'];
/** 93.184.216.34. */
const SUFFIX_OF_PUBLIC = '5db8:d822';

/** Both clients of partners' URLs. Each returns why it failed, or null. */
const CLIENTS: Readonly<Record<string, (url: string, options: SafeHttpOptions) => Promise<string | null>>> = {
  async webhook(url, options) {
    const transport = createSafeTransport({ timeoutMs: 5_000, ...options });
    const outcome = await transport.post({ url, headers: {}, body: '{}' });
    await transport.close();
    return outcome.kind === 'failed' ? outcome.failure : null;
  },
  async résumé(url, options) {
    const source = createResumeSource({ timeoutMs: 5_000, ...options });
    const download = await source.fetch(url);
    await source.close();
    return download.kind === 'failed' ? download.reason : null;
  },
};

const canary = await startCanary();
afterAll(async () => {
  expect(canary.connections()).toBe(canary.invited());
  await canary.close();
});

/** Resolves local names with the system, and fakes all others. */
const resolve = async (host: string) => {
  if (/^localhost\.?$/.test(host)) return systemResolve(host);
  if (/\.test$/.test(host)) return ['127.0.0.1'];
  throw new Error('The name does not exist.');
};

describe.each(Object.entries(CLIENTS))('a %s', (_what, call) => {
  it.each(HOSTILE_HOSTS)('to %j is blocked', async (host) => {
    const watched = watchConnects([canary.port, 80, 443]);
    const plain = { allowPlainHttp: true, resolve };
    expect(REFUSED).toContain(await call(`https://${host}:${canary.port}/`, { resolve }));
    expect(REFUSED).toContain(await call(`http://${host}:${canary.port}/`, plain));
    expect(REFUSED).toContain(await call(`https://${host}/`, { resolve }));
    expect(REFUSED).toContain(await call(`http://${host}?@partner.test:${canary.port}`, plain));
    expect(watched.addresses).toEqual([]);
  });

  it.each(HOSTILE_ANSWERS)('to a name that resolves to %j is blocked', async (address) => {
    const watched = watchConnects([canary.port, 80, 443]);
    for (const answers of [[address], [...PUBLIC, address], [address, ...PUBLIC], [address, address]]) {
      const url = `http://partner.test:${canary.port}/`;
      const options = { allowPlainHttp: true, resolve: async () => answers };
      expect(await call(url, options)).toBe('address_refused');
    }
    expect(watched.addresses).toEqual([]);
  });

  it('behind NAT64 reaches the public address inside, and no other', async () => {
    const synthesised = PREFIXES.map((prefix) => prefix + SUFFIX_OF_PUBLIC);
    const connector = (address: string, port: number) => (synthesised.includes(address) ? port : null);
    const watched = watchConnects([], connector);
    const options = { allowPlainHttp: true, nat64Prefixes: ['2600:abcd::/96'] };
    const url = `http://partner.test:${canary.port}/`;
    for (const address of synthesised) {
      canary.invite(1);
      expect(await call(url, { ...options, resolve: async () => [address, '93.184.216.34'] })).toBeNull();
      expect(await call(`http://[${address}]:${canary.port}/`, options)).toBe('address_refused');
      const withPrivate = { ...options, resolve: async () => [address, '10.0.0.1'] };
      expect(await call(url, withPrivate)).toBe('address_refused');
    }
    expect(new Set(watched.addresses)).toEqual(new Set(synthesised));
  });

  it.each(HOSTILE_ANSWERS.filter(isIPv4))(
    'behind NAT64 to a name with %s inside is blocked',
    async (address) => {
      const watched = watchConnects([canary.port, 80, 443]);
      const options = { allowPlainHttp: true, nat64Prefixes: ['2600:abcd::/96'] };
      for (const prefix of PREFIXES) {
        const resolve = async () => [...PUBLIC, prefix + address];
        expect(await call(`http://partner.test:${canary.port}/`, { ...options, resolve })).toBe(
          'address_refused',
        );
      }
      expect(watched.addresses).toEqual([]);
    },
  );

  it('whose resolver changes its answer goes only to the checked address', async () => {
    const watched = watchConnects([canary.port, 80, 443]);
    let asked = 0;
    const rebind = async () => {
      asked += 1;
      return asked % 2 === 1 ? PUBLIC.slice(0, 1) : ['127.0.0.1'];
    };
    const options = { allowPlainHttp: true, resolve: rebind };
    const url = `http://rebind.test:${canary.port}/`;
    for (let round = 0; round < ROUNDS; round += 1) expect(await call(url, options)).not.toBeNull();
    expect(new Set(watched.addresses)).toEqual(new Set(PUBLIC.slice(0, 1)));
    expect(asked).toBeGreaterThanOrEqual(ROUNDS);
  });

  it('succeeds where private networks are allowed', async () => {
    const watched = watchConnects([canary.port, 80, 443]);
    const options = { allowPrivateNetworks: true, allowPlainHttp: true, resolve: async () => ['127.0.0.1'] };
    const before = canary.connections();
    canary.invite(1);
    expect(await call(`http://127.0.0.1:${canary.port}/`, options)).toBeNull();
    expect(canary.connections()).toBe(before + 1);
    expect(watched.addresses).toEqual(['127.0.0.1']);
    expect(await call(`http://10.0.0.1:${canary.port}/`, options)).not.toBeNull();
    canary.invite(1);
    expect(await call(`http://partner.test:${canary.port}/`, options)).toBeNull();
    expect(new Set(watched.addresses)).toEqual(new Set(['127.0.0.1', '10.0.0.1']));
  });
});

it('covers more than sixty forms of each address', () => {
  expect(new Set(HOSTILE_HOSTS).size).toBeGreaterThan(60);
  expect(new Set(HOSTILE_ANSWERS).size).toBeGreaterThan(60);
});
