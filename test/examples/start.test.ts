import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RunningChild, startChild } from '../../examples/server/demo/child.js';
import { openPartnerHiring } from '../../examples/server/open-partner-hiring.js';
import { readSettings } from '../../examples/server/settings.js';
import { runProgram } from './run-program.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHILDREN_MS = 60_000;
const START_MS = 30_000;
const READY = 'Stop with Ctrl-C.';

async function freshEnvironment() {
  const DATABASE_FILE = join(temporaryFolder(), 'example.sqlite');
  return { DATABASE_FILE, PARTNER_HIRING_SEALING_KEY: '', WEBHOOK_URL: '', PORT: '0', RECEIVER_PORT: '0' };
}

async function startServer(env: Readonly<Record<string, string>>): Promise<RunningChild> {
  const server = startChild('main.ts', env, RUN_BUNDLED);
  onTestFinished(async () => void (await server.stop()));
  await server.waitFor(READY, START_MS);
  return server;
}

describe('npm start', { timeout: CHILDREN_MS }, () => {
  test('shows the keys at the first start only', async () => {
    const env = await freshEnvironment();
    const first = await startServer(env);
    expect(first.output()).toMatch(/pek_live_[\w-]{49}\b/);
    expect(first.output()).toMatch(/pek_test_[\w-]{49}\b/);
    await first.waitFor('job.opened  job_harbor_picker', START_MS);
    const [, reference = ''] = /Reference\s+(\S+)/.exec(first.output()) ?? [];
    expect(await (await fetch(reference)).text()).toContain('<title>Partner Hiring API</title>');

    const [, partner = '', url = ''] = /portal link (\S+) --url (\S+)/.exec(first.output()) ?? [];
    const link = await runProgram('server/operator.ts', ['portal', 'link', partner, '--url', url], env);
    const page = await fetch(/http:\S+$/.exec(link.stdout.trim())?.[0] ?? '');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('The button works once')]);

    expect(await first.stop()).toBe(0);
    expect(first.output()).toMatch(/^The process stops\. .*\n(?:.*\n)*Stopped\.$/m);

    const second = await startServer(env);
    expect(second.output()).not.toMatch(/pek_(?:live|test)_[\w-]{49}|whsec_/);
    expect(second.output()).toContain('npm run operator -- keys rotate key_');
    expect(second.output()).toContain(`/portal/${url.split('/').at(-1)}\n`);
    expect(await second.stop()).toBe(0);
  });

  test('names the fix where the port is taken, and uses up no keys', async () => {
    const env = await freshEnvironment();
    const PORT = String(await takenPort());
    const ended = await runProgram('server/main.ts', [], { ...env, PORT });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(new RegExp(`${PORT}: something else listens there.* PORT=\\d+ npm start`));
    expect(ended.stderr).not.toMatch(/^\s+at /m);

    expect((await startServer(env)).output()).toContain('pek_live_');
  });

  test('names the fix where the host is not this machine', async () => {
    const ended = await runProgram('server/main.ts', [], {
      ...(await freshEnvironment()),
      HOST: '192.0.2.1',
    });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('Set HOST to an address of this machine');
    expect(ended.stderr).not.toContain('Choose another port');
  });

  test('says how to send webhooks to a receiver that listens elsewhere than at first', async () => {
    const env = await freshEnvironment();
    const first = await startServer(env);
    expect(first.output()).not.toContain('where no webhooks go');
    const [, firstUrl] = /webhooks to (\S+\/webhooks)/.exec(first.output()) ?? [];
    expect(await first.stop()).toBe(0);

    const second = await startServer({ ...env, RECEIVER_PORT: String(await otherPort(firstUrl)) });
    const [, url] =
      /receiver beside this server is at (\S+), where no webhooks go/.exec(second.output()) ?? [];
    const keys = [...new Set(second.output().match(/^ {2}(?:production|sandbox) +key_\w+/gm))];
    const told = second.output().match(new RegExp(`operator -- endpoints set key_\\w+ ${url}\n`, 'g'));
    expect(keys).toHaveLength(2);
    expect(told).toEqual(keys.map((key) => `operator -- endpoints set ${key.split(/ +/)[2]} ${url}\n`));
    expect(url).not.toBe(firstUrl);
  });

  test('names the fix where the database cannot be written', async () => {
    const env = await freshEnvironment();
    const ended = await runProgram('server/main.ts', [], {
      ...env,
      DATABASE_FILE: '/dev/null/example.sqlite',
    });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/Cannot use the database .*Set DATABASE_FILE/);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  test('names the fix where the database takes no seed', async () => {
    const env = await freshEnvironment();
    await (await openPartnerHiring(readSettings(env))).close();
    const database = new Database(env.DATABASE_FILE);
    onTestFinished(() => void database.close());
    // As on a full disk; that each write is refused at once is quicker.
    database.exec(`create trigger full before insert on ph_company
      begin select raise(abort, 'database or disk is full'); end`);
    const ended = await runProgram('server/main.ts', [], env);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^Cannot use the database .* disk is full.* Set DATABASE_FILE/);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  test('says without a stack what is wrong with a webhook URL', async () => {
    const WEBHOOK_URL = 'http://ada:secret@127.0.0.1:4000/webhooks';
    const ended = await runProgram('server/main.ts', [], { ...(await freshEnvironment()), WEBHOOK_URL });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('WEBHOOK_URL must not contain credentials');
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  test("shows the keys also where the receiver's secrets cannot be written", async () => {
    const env = await freshEnvironment();
    await mkdir(`${env.DATABASE_FILE}.receiver`);
    const ended = await runProgram('server/main.ts', [], env);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/pek_live_[\w-]{49}\b/);
    expect(ended.stderr).toMatch(/receiver's secrets cannot be written: .*\. Write them to /);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  // The second is what a terminal sends that is closed.
  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'serves on, and stops gracefully at %s, where nobody reads its log any more',
    async (signal) => {
      const options = { cwd: ROOT, env: { ...process.env, ...(await freshEnvironment()) } };
      const server = spawn(process.execPath, [...RUN_BUNDLED, 'examples/server/main.ts'], options);
      const ended = once(server, 'exit');
      onTestFinished(() => void server.kill('SIGKILL'));
      let printed = '';
      for await (const text of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: true })) {
        printed += text;
        if (printed.includes(READY)) break;
      }
      const [, origin] = /Base URL +(http:\/\/[^/]+)/.exec(printed) ?? [];
      for (let call = 0; call < 3; call += 1) expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      server.kill(signal);
      expect(await ended).toEqual([0, null]);
    },
  );
});

/** A free port that is not this URL's. */
async function otherPort(url = ''): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  return port === Number(new URL(url).port) ? otherPort(url) : port;
}

async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
