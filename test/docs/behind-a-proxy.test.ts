/** Plays the page about proxies. `test/behind-a-proxy` runs its locations of nginx, and follows all links. */
import { listen } from '@partner-hiring/test-support/servers/express-server';
import type { Express } from 'express';
import { expect } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import { tell } from './tell.js';

const KEY = { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) };
const PROXY = { 'x-forwarded-for': '203.0.113.9' };

tell('docs/behind-a-proxy.md', async (open) => {
  const page = open({ env: KEY });
  await partnerHiringOf(page);

  /** Returns the addresses of each part's first page, for Ada. */
  async function addressesOf(app: Express, prefix: string, headers: Readonly<Record<string, string>>) {
    const origin = `http://127.0.0.1:${await listen(app)}`;
    const texts = ['/console', '/portal', '/partner-docs/llms.txt'].map(async (path) => {
      const response = await fetch(`${origin}${prefix}${path}`, {
        headers: { ...headers, cookie: 'session=ada' },
      });
      return [...(await response.text()).matchAll(/(?:href="|\]\(https:\/\/jobs\.example\.com)(\/[^")]*)/g)];
    });
    const found = (await Promise.all(texts)).map((matches) => matches.map(([, address = '']) => address));
    expect(found.every(({ length }) => length > 0)).toBe(true);
    expect((await fetch(`${origin}${prefix}/api/v1/external/jobs`)).status).toBe(401);
    return found.flat();
  }
  const isInside = (address: string) => address.startsWith('/hiring/');

  const removed = exported<Express>(await page.play(), 'app');
  const named = await addressesOf(removed, '', { ...PROXY, 'x-forwarded-prefix': '/hiring' });
  expect(named.filter((address) => !isInside(address))).toEqual([]);
  expect((await addressesOf(removed, '', PROXY)).filter(isInside)).toEqual([]);
  for (const start of ['location /hiring/', 'http:', 'handle_path']) {
    expect(page.next('text').text).toMatch(new RegExp(`^${start}`));
  }
  const left = exported<Express>(await page.play(), 'app');
  expect((await addressesOf(left, '/hiring', PROXY)).filter((address) => !isInside(address))).toEqual([]);
  for (const start of ['location /hiring/', 'http:', 'handle ']) {
    expect(page.next('text').text).toMatch(new RegExp(`^${start}`));
  }
});
