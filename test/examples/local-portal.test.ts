import { statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApiServer } from '../../examples/server/api-server.js';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { keptPortalPath } from '../../examples/server/portal-path.js';
import { readSettings } from '../../examples/server/settings.js';

async function openServer(DATABASE_FILE: string) {
  const settings = readSettings({ DATABASE_FILE });
  const partnerHiring = await openPartnerHiring(settings);
  const path = keptPortalPath(settings);
  const app: FastifyInstance = await createApiServer(partnerHiring, null, null, path);
  const close = async () => {
    await app.close();
    await partnerHiring.close();
  };
  onTestFinished(close);
  return { app, path, close, operator: partnerHiring.operator, settings };
}

const freshFile = async () => join(temporaryFolder(), 'example.sqlite');

test('the portal is under a random path, which stays the same, as do its sessions, after a restart', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const file = await freshFile();
  const first = await openServer(file);
  const { path } = first;
  expect(path).toMatch(/^\/portal\/[\w-]{22}$/);
  expect(statSync(first.settings.portalPathFile).mode & 0o777).toBe(0o600);
  expect((await openServer(await freshFile())).path).not.toBe(path);

  const origin = 'http://127.0.0.1:3000';
  const { id: partnerId } = await first.operator.partners.create({ name: 'Acme ATS' });
  const { link } = await first.operator.portal.createLink({ partnerId, url: `${origin}${path}` });
  const headers = { host: '127.0.0.1:3000', origin, 'content-type': 'application/x-www-form-urlencoded' };
  const pressed = await first.app.inject({ method: 'POST', url: link.slice(origin.length), headers });
  expect([pressed.statusCode, pressed.headers.location]).toEqual([303, path]);
  const [cookie = ''] = String(pressed.headers['set-cookie']).split(';');
  expect(pressed.headers['set-cookie']).toContain(`; Path=${path}; `);
  await first.close();

  const second = await openServer(file);
  expect(second.path).toBe(path);
  const home = await second.app.inject({ url: path, headers: { host: '127.0.0.1:3000', cookie } });
  expect([home.statusCode, home.body.includes('Acme ATS')]).toEqual([200, true]);
  const logged = log.mock.calls.flat().join('\n');
  expect(logged).toContain('POST /portal/…/sign-in?… → 303');
  expect(logged).toContain('GET /portal/… → 200');
  expect(logged).not.toContain(path);
});

test('outside of its random path, the portal looks like any address that does not exist', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const { app } = await openServer(await freshFile());
  const read = async (name: string) => {
    const { statusCode, body, headers } = await app.inject(`/${name}`);
    const { date: _, 'content-length': __, ...others } = headers;
    return { statusCode, others, body: body.replaceAll(`/${name}`, '/…') };
  };
  const unknown = await read('nothing');
  expect(unknown.statusCode).toBe(404);
  for (const name of ['portal', 'portal/sign-in', 'portal/x', 'portal/x/sign-in', 'portal/keys']) {
    expect(await read(name)).toEqual(unknown);
  }
});
