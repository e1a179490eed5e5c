import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPartnerHiring } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { SEALING_KEY } from './open-server.js';
import { runCli } from './run-cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function fileWithPartner(): Promise<string> {
  const file = join(temporaryFolder(), 'partner-hiring.sqlite');
  const storage = await createSqliteStorage({ file });
  const partnerHiring = createPartnerHiring({ storage, secretKey: SEALING_KEY });
  await partnerHiring.operator.partners.create({ name: 'Acme ATS' });
  await partnerHiring.close();
  return file;
}

/** Starts the program, and resolves to the link that it prints. */
async function startConsole(args: readonly string[]): Promise<{ process: ChildProcess; link: string }> {
  const started = spawn(process.execPath, [...RUN_BUNDLED, 'packages/cli/src/cli.ts', 'console', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void started.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of started.stdout) {
    printed += String(chunk);
    const [link] = /http:\S+/.exec(printed) ?? [];
    if (link !== undefined && printed.includes('Ctrl-C')) return { process: started, link };
  }
  throw new Error(`The program printed no link:\n${printed}`);
}

test('serves the console to whoever presses the button of the link, and stops', {
  timeout: 60_000,
}, async () => {
  const file = await fileWithPartner();
  const { process: program, link } = await startConsole(['--database', file, '--as', 'ada', '--read-only']);
  const { origin, pathname } = new URL(link);
  expect(pathname).toMatch(/^\/console\/[\w-]{22}\/sign-in$/);
  for (const path of ['/', '/console', '/console/sign-in']) {
    const answer = await fetch(`${origin}${path}`);
    expect([answer.status, await answer.text()]).toEqual([404, 'Not found']);
  }
  const press = () => fetch(link, { method: 'POST', headers: { origin }, redirect: 'manual' });
  expect(await (await fetch(link)).text()).toContain('<form method="post">');
  const signedIn = await press();
  expect(signedIn.status).toBe(303);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await fetch(`${origin}${signedIn.headers.get('location')}`, { headers: { cookie } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('ada');
  const used = await press();
  expect([used.status, used.headers.get('set-cookie')]).toEqual([410, null]);
  expect(await used.text()).toContain('restart the program');

  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
});

test('the hand-over sheet of a new partner has the addresses of the options', {
  timeout: 60_000,
}, async () => {
  const file = await fileWithPartner();
  const handOver = {
    api: 'https://api.platform.example/v1',
    docs: 'https://platform.example/partners',
    support: 'api@platform.example',
  };
  const options = ['--api', handOver.api, '--docs', handOver.docs, '--support', handOver.support];
  const { process: program, link } = await startConsole(['--database', file, ...options]);
  const { origin } = new URL(link);
  const post = (url: string, more: RequestInit & { headers?: Record<string, string> }) =>
    fetch(url, { ...more, method: 'POST', headers: { origin, ...more.headers }, redirect: 'manual' });
  const signedIn = await post(link, {});
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const sheet = await post(`${origin}${signedIn.headers.get('location')}/partners/new`, {
    headers: { cookie },
    body: new URLSearchParams({ name: 'Globex Hiring', production: 'yes' }),
  });
  const text = await sheet.text();
  expect([sheet.status, text]).toEqual([200, expect.stringContaining('For Globex Hiring')]);
  for (const address of Object.values(handOver)) expect(text).toContain(address);
  program.kill('SIGTERM');
  await once(program, 'exit');
  const wrong = await runCli(['--database', file, 'console', '--docs', 'docs']);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('--docs must be an address: https://'),
  ]);
});

test('refuses a port that is taken or is none', async () => {
  const file = await fileWithPartner();
  const { createServer } = await import('node:net');
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const taken = await runCli(['--database', file, 'console', '--port', String(port)]);
  expect(taken).toMatchObject({ code: 1, stdout: '' });
  expect(taken.stderr).toBe(`Port ${port} cannot be used: another program uses it. Pass another --port.`);
  const none = await runCli(['--database', file, 'console', '--port', '70000']);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('--port must be a number from 0 to 65535');
});
