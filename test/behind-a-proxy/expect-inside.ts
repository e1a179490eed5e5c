import { expect } from 'vitest';
import type { Platform } from '../console/platform.js';
import { createBrowser } from './browser.js';
import { PREFIX, type ProxiedHost } from './host.js';
import { walk } from './walk.js';

/** Signs in behind a proxy, follows everything, calls the API where the documentation says it is, and signs out. */
export async function expectInside(front: string, host: ProxiedHost, platform: Platform): Promise<void> {
  for (const link of [host.consoleLink, host.portalLink]) {
    const url = new URL(link);
    expect(url.pathname.startsWith(`${PREFIX}/`)).toBe(true);
    const browser = createBrowser(PREFIX);
    expect((await browser.get(url)).text).toContain('<form method="post">');
    const home = await browser.post(url, new URLSearchParams());
    expect([home.status, home.url.pathname]).toEqual([200, url.pathname.replace('/sign-in', '')]);
    const found = await walk(browser, [home], PREFIX);
    expect(found.problems).toEqual([]);
    expect(found.pages).toBeGreaterThan(10);
    expect(found.files).toBeGreaterThan(0);
    expect(found.forms).toBeGreaterThan(4);
    const out = await browser.post(new URL(`${home.url}/sign-out`), new URLSearchParams());
    expect(out.text).not.toContain('<nav class="screens"');
    expect((await browser.get(home.url)).status).toBeGreaterThan(400);
    expect(browser.outside).toEqual([]);
  }

  const reader = createBrowser(PREFIX);
  const docs = new URL(`${front}${PREFIX}/partner-docs`);
  const starts = [await reader.get(docs), await reader.get(new URL(`${docs}/llms.txt`))];
  const found = await walk(reader, starts, PREFIX);
  expect(found.problems).toEqual([]);
  expect(found.pages).toBeGreaterThan(20);
  const { text } = await reader.get(new URL(`${docs}/openapi.json`));
  const { servers, externalDocs } = JSON.parse(text) as {
    servers: readonly { url: string }[];
    externalDocs: { url: string };
  };
  expect(externalDocs.url).toBe(docs.href);
  expect(servers[0]?.url).toBe(`${front}${PREFIX}/api/v1/external`);
  const { operator } = platform.fixture;
  const { secret } = await operator.keys.rotate({ id: platform.acme.keyId });
  const jobs = await fetch(`${servers[0]?.url}/jobs`, { headers: { authorization: `Bearer ${secret}` } });
  expect(jobs.status).toBe(200);
}
