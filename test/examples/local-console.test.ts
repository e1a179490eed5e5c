import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApiServer } from '../../examples/server/api-server.js';
import { createLocalConsole } from '../../examples/server/local-console.js';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { readSettings } from '../../examples/server/settings.js';

async function openServer() {
  const env = { DATABASE_FILE: join(temporaryFolder(), 'example.sqlite') };
  const partnerHiring = await openPartnerHiring(readSettings(env));
  const local = createLocalConsole(partnerHiring, '127.0.0.1');
  if (local === null) throw new Error('There is no console.');
  const app = await createApiServer(partnerHiring, local);
  onTestFinished(async () => {
    await app.close();
    await partnerHiring.close();
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return { ...local, origin };
}

test('the link of npm start signs in by its button, and neither path nor token is in the log', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { origin, path, createLink } = await openServer();
  const link = createLink(origin);
  const press = () => fetch(link, { method: 'POST', headers: { origin }, redirect: 'manual' });
  expect(await (await fetch(link)).text()).toContain('<form method="post">');
  const signedIn = await press();
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, path]);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await fetch(`${origin}${path}/audit`, { headers: { cookie } });
  expect(await page.text()).toContain('Signed in as <strong>Local operator</strong>');
  expect((await press()).status).toBe(410);

  const logged = () => log.mock.calls.flat().join('\n');
  await vi.waitFor(() => expect(logged()).toContain('POST /console/…/sign-in?… → 410'), 60_000);
  expect(logged()).toContain('GET /console/…/audit → 200');
  expect(logged()).not.toContain(path);
  expect(logged()).not.toContain(new URL(link).searchParams.get('token'));
});

test('outside of its random path, the console looks like any address that does not exist', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const { origin } = await openServer();
  const read = async (name: string) => {
    const answer = await fetch(`${origin}/${name}`);
    const text = (await answer.text()).replaceAll(`/${name}`, '/…');
    const headers = [...answer.headers].filter(([field]) => !['date', 'content-length'].includes(field));
    return { status: answer.status, headers, text };
  };
  const unknown = await read('nothing');
  expect(unknown.status).toBe(404);
  for (const name of ['console', 'console/sign-in', 'console/x/sign-in']) {
    expect(await read(name)).toEqual(unknown);
  }
});

test('there is no console where other machines can reach the server', async () => {
  const env = { DATABASE_FILE: join(temporaryFolder(), 'example.sqlite') };
  const partnerHiring = await openPartnerHiring(readSettings(env));
  onTestFinished(() => partnerHiring.close());
  expect(createLocalConsole(partnerHiring, '0.0.0.0')).toBeNull();
});
