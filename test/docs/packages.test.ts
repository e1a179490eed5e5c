/** Plays the README of each package. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { PartnerClient } from '@partner-hiring/client';
import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { expect, onTestFinished, vi } from 'vitest';
import { RIGHT, SECRET, startReceiver } from '../certify/receiver.js';
import { readPage } from './fences.js';
import { startGone, startHost } from './host.js';
import { runNodeTests } from './node-tests.js';
import { expectShown } from './shown.js';
import { type OpenPage, type Page, tell } from './tell.js';

/** The answer that the host's job requires. */
const ANSWERS = 'applicationFormAnswers: { weekends: true },';

tell('packages/client/README.md', async (open) => {
  const options = { selfService: SELF_SERVICE_PRESET, allowPrivateNetworks: true };
  const { baseUrl, issued } = await startHost(options, await startGone(204));
  const page = open({
    filling: {
      job_harbor_picker: 'job_01k2f7',
      'consentToContact: true,': `consentToContact: true, ${ANSWERS}`,
    },
    env: { PARTNER_API_URL: baseUrl, PARTNER_API_KEY: issued.secret, WEBHOOK_SECRET: SECRET },
  });
  await page.run();

  await page.play();
  expect(page.printed()).toMatch(/ats-4711 is ej_app_\w+ \(created\)/);
  await page.again();
  expect(page.printed()).toMatch(/ats-4711 is ej_app_\w+ \(known\)/);

  await page.play();
  expect(page.printed()).toMatch(/^job_01k2f7 Line Cook Bistro Nord$/m);
  expect(page.printed()).toMatch(/^ej_app_\w+ Initial Outreach$/m);

  const address = {
    'http://localhost:3000/webhooks': await startReceiver(RIGHT),
    'https://hiring.example.com/api/v1/external': baseUrl,
    'pek_test_…': issued.secret,
  };
  await page.start(address, 'job.opened: 204');

  expect(await runNodeTests(page, [page.next('ts')])).toBeGreaterThan(5);

  for (const run of [page.play, page.again]) {
    await run();
    expect(page.printed()).toMatch(/^2 of 2 arrived$/m);
  }
  const { proxy, tunnels } = await startProxy();
  vi.stubEnv('HTTP_PROXY', proxy);
  vi.stubEnv('NO_PROXY', '');
  const { client } = (await page.play()) as { readonly client: PartnerClient };
  expect(await client.jobs.list().toArray()).toHaveLength(1);
  expect(tunnels()).toBe(1);
});

/** Starts an HTTP proxy. */
async function startProxy() {
  let tunnels = 0;
  const server = createServer().on('connect', ({ url = '' }, client) => {
    tunnels += 1;
    const [host, port] = url.split(':');
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    for (const socket of [client, target]) socket.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { proxy: `http://127.0.0.1:${port}`, tunnels: () => tunnels };
}

tell('packages/certify/README.md', async (open) => {
  const receivers = {
    right: await startReceiver(RIGHT),
    replayed: await startReceiver({ ...RIGHT, behind: 3_600 }),
    wrong: await startReceiver({ ...RIGHT, verifies: false }),
  };
  const { port } = new URL(receivers.right);
  const page = open({ filling: { 'localhost:3001': `localhost:${port}` }, env: { WEBHOOK_SECRET: SECRET } });
  const filling = { 'whsec_…': SECRET, 'https://ats.example.com/webhooks': receivers.replayed };
  const said = await page.run(filling).then(
    () => '',
    (error: unknown) => String(error),
  );
  expect(said).toContain('ended with 1');
  const shown = page.next('text');
  expectShown(
    { ...shown, text: shown.text.replace('https://ats.example.com/webhooks', receivers.replayed) },
    said,
  );

  await page.play();
  await expect(page.again({ [port]: new URL(receivers.wrong).port })).rejects.toThrow(
    'The receiver accepts deliveries that the service never signed.',
  );
});

/** Runs a page's installation, and sets the key that it creates. */
async function install(open: OpenPage): Promise<Page> {
  const page = open({ filling: { '3000': '0' } });
  await page.run();
  vi.stubEnv(
    'PARTNER_HIRING_SEALING_KEY',
    (await page.shell.run('echo "$PARTNER_HIRING_SEALING_KEY"')).trim(),
  );
  return page;
}

tell('packages/core/README.md', async (open) => {
  const page = await install(open);
  await page.play();
  const shown = /console\.log\(.*\); \/\/ (.*)/.exec(readPage('packages/core/README.md'))?.[1];
  expect(page.printed()).toBe(shown);
});

tell('packages/partner-docs/README.md', async (open) => {
  const page = open();
  await page.run();
  await page.play();
  const shown = /console\.log\(.*\); \/\/ (.*)/.exec(readPage('packages/partner-docs/README.md'))?.[1];
  expect(page.printed()).toBe(shown);
});

/** Runs the installation. The program is on a page of `docs`. */
const installs = async (open: OpenPage) => void (await open().run());
tell('packages/fastify/README.md', installs);
tell('packages/express/README.md', installs);
tell('packages/node/README.md', installs);
tell('packages/nest/README.md', installs);
tell('packages/console/README.md', installs);
tell('packages/testing/README.md', installs);
tell('packages/sqlite/README.md', installs);
tell('packages/postgres/README.md', installs);
