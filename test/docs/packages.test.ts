/** Plays the README of each package. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PartnerHiring, SELF_SERVICE_PRESET } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, vi } from 'vitest';
import { RIGHT, SECRET, startReceiver } from '../certify/receiver.js';
import { exported } from './exported.js';
import { readPage } from './fences.js';
import { apply, letIn, startGone, startHost } from './host.js';
import { runNodeTests } from './node-tests.js';
import { expectShown } from './shown.js';
import { type Exports, type OpenPage, type Page, tell } from './tell.js';

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

  await page.play();
  expect(page.printed()).toMatch(/^whole: \d+ rows, 0 gone$/m);

  const address = {
    'http://localhost:3000/webhooks': await startReceiver(RIGHT),
    'https://hiring.example.com/api/v1/external': baseUrl,
    'pek_test_…': issued.secret,
  };
  await page.start(address, 'job.opened: 204');

  await page.play();
  expect(page.printed()).toMatch(/^active null delivered$/m);

  expect(await runNodeTests(page, [page.next('ts')])).toBeGreaterThan(5);
});

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

  await page.play();
  expect(page.printed()).toContain('does_not_verify');
  expect(readPage('packages/certify/README.md')).toContain(`// ${page.printed()}\n`);
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

/** Expects the server to accept a submission. It is closed after the test. */
async function expectTaken(program: Exports, server: Server): Promise<void> {
  const partnerHiring = exported<PartnerHiring<Database>>(program, 'partnerHiring');
  onTestFinished(async () => {
    server.close();
    await partnerHiring.close();
  });
  const { secret } = await letIn(partnerHiring);
  const { port } = server.address() as AddressInfo;
  expect(await apply(`http://localhost:${port}/api/v1/external`, secret)).toMatch(/^ej_app_/);
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

tell('packages/fastify/README.md', async (open) => {
  const page = await install(open);
  const program = await page.play();
  await expectTaken(program, exported<FastifyInstance>(program, 'app').server);
});

tell('packages/express/README.md', async (open) => {
  const page = await install(open);
  const program = await page.play();
  await expectTaken(program, exported<Server>(program, 'server'));
});

tell('packages/node/README.md', async (open) => {
  const page = await install(open);
  const program = await page.play();
  await expectTaken(program, exported<Server>(program, 'server'));
});

tell('packages/console/README.md', async (open) => {
  const page = await install(open);
  const program = await page.play();
  const server = exported<Server>(program, 'server');
  const partnerHiring = exported<PartnerHiring<Database>>(program, 'partnerHiring');
  onTestFinished(async () => {
    server.close();
    await partnerHiring.close();
  });
  const url = `http://localhost:${(server.address() as AddressInfo).port}/console`;
  const headers = { cookie: 'session=ada' };
  expect(await (await fetch(url, { headers })).text()).toContain('Signed in as <strong>Ada</strong>');
  expect((await fetch(url)).status).toBe(404);
});

tell('packages/sqlite/README.md', async (open) => {
  const page = await install(open);
  const partnerHiring = exported<PartnerHiring<Database>>(await page.play(), 'partnerHiring');
  onTestFinished(() => partnerHiring.close());
  const { secret } = await letIn(partnerHiring);
  const id = await apply('http://localhost/api/v1/external', secret, { send: partnerHiring.fetch });
  expect(await partnerHiring.operator.applications.find({ id })).toMatchObject({ status: 'received' });
});

tell('packages/testing/README.md', async (open) => {
  const page = open();
  await page.run();
  expect(await runNodeTests(page, [page.next('ts')])).toBe(1);
});
