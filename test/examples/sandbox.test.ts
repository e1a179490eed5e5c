/** The sandbox as a partner meets it: the example server, its page, and the commands of the page. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SANDBOX_CATALOGUE, sandboxMarkdown, sandboxPage } from '@partner-hiring/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startChild } from '../../examples/server/demo/child.js';
import { startPartnerReceiver } from '../../examples/server/demo/partner-receiver.js';
import { runProgram } from './run-program.js';
import { seededDatabase } from './seeded-database.js';
import { temporaryFolder } from './temporary-folder.js';

/** Each starts several processes, and more goes on on the machine. */
const CHILDREN_MS = 120_000;
const START_MS = 30_000;
const PAGE = new URL('../../docs/sandbox.md', import.meta.url);

/** The server with a partner's receiver, and what the partner needs to know of it. */
async function startSandbox() {
  const receiver = await startPartnerReceiver();
  const DATABASE_FILE = join(await temporaryFolder(), 'example.sqlite');
  const env = { DATABASE_FILE, SECRET_KEY: '', WEBHOOK_URL: receiver.webhookUrl, PORT: '0' };
  const server = startChild('main.ts', env);
  onTestFinished(async () => {
    await server.stop();
    await receiver.close();
  });
  await server.waitFor('Stop with Ctrl-C.', START_MS);
  receiver.setSecrets(server.output().match(/whsec_[\w-]+/g) ?? []);
  const find = (pattern: RegExp) => pattern.exec(server.output())?.[1] ?? '';
  return { receiver, baseUrl: find(/Base URL\s+(\S+)/), key: find(/(pek_test_[\w-]+)/) };
}

/** The shell lines of a page in Markdown. */
function commandsOf(markdown: string): string {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines).join('\n');
}

describe('the page of the sandbox', { timeout: CHILDREN_MS }, () => {
  test('in docs is made from the tables that the sandbox goes by', async () => {
    // After a change: npx vitest run test/examples/sandbox.test.ts --update
    await expect(sandboxMarkdown()).toMatchFileSnapshot(PAGE.pathname);
  });

  test('names every address, job and error, in both forms', () => {
    const { addresses, jobs, errors } = SANDBOX_CATALOGUE;
    const names = [
      ...addresses.map(({ address }) => address),
      ...jobs.map(({ id }) => id),
      ...errors.map(({ code }) => code),
    ];
    for (const name of names) {
      expect(sandboxPage()).toContain(`<code>${name}`);
      expect(sandboxMarkdown()).toContain(`\`${name}`);
    }
  });

  test('as HTML loads nothing and is well formed', () => {
    const page = sandboxPage();
    expect(page).not.toMatch(/<script|<link|<img|src=|href=|url\(/);
    const tags = [...page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)].filter(([, , name]) => name !== 'meta');
    const open: string[] = [];
    for (const [, slash, name = ''] of tags) {
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  test('has commands that hire somebody, and the webhook arrives at a real receiver', async () => {
    const { receiver, baseUrl, key } = await startSandbox();
    const uuidgen = `uuidgen() { ${process.execPath} -p 'crypto.randomUUID()'; }`;
    const commands = `set -e; ${uuidgen}; BASE=${baseUrl}; KEY=${key}\n${commandsOf(await readFile(PAGE, 'utf8'))}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', commands]);
    const [created = '', ...listed] = stdout.split(/(?<=\})(?=\{)/);
    const { id, status } = JSON.parse(created) as { readonly id: string; readonly status: string };
    expect(status).toBe('received');
    expect(JSON.parse(listed.join(''))).toMatchObject({ data: [{ id, currentStage: 'Hired' }] });

    const event = await receiver.waitForEvent(
      ({ type, data }) => type === 'application.status_changed' && data.applicationId === id,
      'Waiting for the hire in the sandbox',
    );
    expect(event).toMatchObject({ data: { newStatus: 'accepted', currentStage: 'Hired' } });

    const page = await fetch(new URL('/sandbox', baseUrl));
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toBe(sandboxPage());
  });
});

describe('the operator command', { timeout: CHILDREN_MS }, () => {
  test('lists what is in the sandbox, and gives a key what it lacks', async () => {
    const { env, seeded } = await seededDatabase();
    const operator = (...words: readonly string[]) =>
      runProgram('server/operator.ts', ['sandbox', ...words], env);
    const { stdout } = await operator();
    for (const { address, about } of SANDBOX_CATALOGUE.addresses) {
      expect(stdout).toMatch(new RegExp(`^${address} +${about.slice(0, 20)}`, 'm'));
    }
    expect(stdout).toMatch(/^SERVICE_UNAVAILABLE +503 +Submit/m);
    expect((await operator('prepare', seeded.sandbox.key.id)).stdout).toContain('Nothing to do');
    expect((await operator('prepare', seeded.production.key.id)).stderr).toMatch(/^WORLD_MISMATCH/);
  });
});
