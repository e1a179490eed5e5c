import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../free-port.js';
import { run } from '../project.js';
import { submit } from '../submit.js';
import type { Framework } from './frameworks.js';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** A framework's host that runs. */
interface Host {
  readonly origin: string;
  readonly key: string;
  readonly portalLink: string;
}

/**
 * Starts the built host of a framework on a database of its own. Checks API, console and portal with pages and forms, and
 * that the host's own routes, failures and missing pages stay those of the framework.
 */
export async function checkHost(project: string, framework: Framework): Promise<void> {
  const { program, env: more = {}, notFound } = framework;
  // A folder of its own, because the host creates its database in the current one.
  const cwd = join(project, `data ${framework.name.replace(':', ' ')}`);
  mkdirSync(cwd, { recursive: true });
  const PORT = String(await freePort());
  const env = { ...more, PORT, PARTNER_HIRING_SEALING_KEY: randomBytes(32).toString('base64') };
  const start = (name: string) =>
    run([process.execPath, join(project, `dist/${name}.js`)], {
      cwd,
      env: { ...env, NODE_ENV: 'production' },
    });
  const [, key = ''] = /API key (\S+)/.exec(await start('let-in').finish()) ?? [];
  const running = start(program);
  try {
    const [, portalLink = ''] = await running.waitFor(/Portal (\S+)/);
    const origin = `http://127.0.0.1:${PORT}`;
    const status = () => fetch(`${origin}/own`).then((reply) => reply.status, running.output);
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    const host = { origin, key, portalLink };
    await checkOwnRoutes(host, notFound);
    await checkApiAndConsole(host);
    await checkPortal(host);
    await checkOwnRoutes(host, notFound);
  } finally {
    await running.stop();
  }
}

async function read(url: string, init?: RequestInit): Promise<readonly [number, string]> {
  const reply = await fetch(url, init);
  return [reply.status, await reply.text()];
}

async function checkOwnRoutes({ origin }: Host, notFound: string): Promise<void> {
  const [slow, early, own] = await Promise.all(
    ['slow', 'early', 'own'].map((path) => read(`${origin}/${path}`)),
  );
  expect([slow, early, own]).toEqual([
    [200, 'slow'],
    [200, 'early'],
    [200, 'own'],
  ]);
  const headers = { 'content-type': 'application/json' };
  const [status, text] = await read(`${origin}/own`, { method: 'POST', headers, body: '{"own":1}' });
  expect([status, JSON.parse(text)]).toEqual([200, { own: 1 }]);
  expect((await read(`${origin}/broken`))[0]).toBe(500);
  // Also beside our paths.
  for (const path of ['nothing', 'consoles', 'portals', 'api/v1/externals']) {
    const expected = notFound.replace('nothing', path);
    expect(await read(`${origin}/${path}`)).toEqual([404, expect.stringContaining(expected)]);
  }
}

async function checkApiAndConsole({ origin, key }: Host): Promise<void> {
  const api = `${origin}/api/v1/external`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  expect(await read(`${api}/jobs`, { headers })).toEqual([200, expect.stringContaining('job_4711')]);
  expect((await read(`${api}/jobs`))[0]).toBe(401);
  expect(await read(`${api}/nothing`, { headers })).toEqual([404, expect.stringContaining('NOT_FOUND')]);
  const { id } = JSON.parse(await submit(api, headers)) as { id: string };

  const [status, page] = await read(`${origin}/console`);
  expect([status, page]).toEqual([200, expect.stringContaining('<h1>Overview</h1>')]);
  const [, style = ''] = /href="(\/console\/assets\/[^"]+)"/.exec(page) ?? [];
  expect((await fetch(`${origin}${style}`)).headers.get('content-type')).toContain('text/css');
  expect((await read(`${origin}/console/nothing`))[0]).toBe(404);
  const move = (sent: Readonly<Record<string, string>>) =>
    fetch(`${origin}/console/applications/${id}/move`, {
      method: 'POST',
      headers: sent,
      body: new URLSearchParams({ stage: 'under_review' }),
      redirect: 'manual',
    });
  expect([(await move({})).status, (await move(SAME_ORIGIN)).status]).toEqual([403, 303]);
  const [, application] = await read(`${api}/applications/${id}`, { headers });
  expect(JSON.parse(application)).toMatchObject({ id, currentStage: 'Under Review' });
}

async function checkPortal({ origin, portalLink }: Host): Promise<void> {
  expect((await read(`${origin}/portal`))[0]).toBe(401);
  expect(await read(portalLink)).toEqual([200, expect.stringContaining('<button')]);
  const signIn = (sent: Readonly<Record<string, string>>) =>
    fetch(portalLink, { method: 'POST', headers: sent, redirect: 'manual' });
  expect((await signIn({ ...SAME_ORIGIN, origin: 'https://evil.example' })).status).toBe(403);
  const signedIn = await signIn({ ...SAME_ORIGIN, origin });
  expect(signedIn.status).toBe(303);
  const [cookie = ''] = signedIn.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  expect(await read(`${origin}/portal`, { headers: { cookie } })).toEqual([
    200,
    expect.stringContaining('Acme ATS'),
  ]);
}
