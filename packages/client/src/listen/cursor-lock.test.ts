import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { lockCursorFile } from './cursor-lock.js';

const ROUNDS = 20;

function startNode(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [...RUN_BUNDLED, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A process that locks each file whose path it reads, and says whether it could. */
function startLocker() {
  const lock = new URL('cursor-lock.ts', import.meta.url).href;
  const program = `
    import { createInterface } from 'node:readline';
    import { lockCursorFile } from '${lock}';
    for await (const path of createInterface(process.stdin)) {
      console.log(await lockCursorFile(path).then(() => 'locked', (error) => error.message));
    }`;
  const child = startNode(['--input-type=module', '--eval', program]);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    ask: (path: string) => void child.stdin.write(`${path}\n`),
    answer: async () => String((await lines.next()).value),
  };
}

test(`lets one of two processes use a file when both start at once, ${ROUNDS} times`, async () => {
  const folder = temporaryFolder();
  const lockers = [startLocker(), startLocker()];
  for (let round = 0; round < ROUNDS; round += 1) {
    const path = join(folder, `${round}.json`);
    for (const { ask } of lockers) ask(path);
    const answers = await Promise.all(lockers.map(({ answer }) => answer()));
    const refusal = `Another process uses ${path}. Stop it, or name another file with --cursor.`;
    expect(answers.sort()).toEqual([refusal, 'locked']);
  }
}, 30_000);

test('frees the file of a process that was killed, also for two that start at once', async () => {
  const path = join(temporaryFolder(), 'cursor.json');
  const killed = startLocker();
  const next = [startLocker(), startLocker()];
  killed.ask(path);
  expect(await killed.answer()).toBe('locked');
  await kill(killed.child);
  for (const { ask } of next) ask(path);
  const answers = await Promise.all(next.map(({ answer }) => answer()));
  expect(answers.sort()).toEqual([expect.stringContaining('--cursor'), 'locked']);
}, 30_000);

test('tells files apart by their folder and name, not by the path that leads to them', async () => {
  const folder = temporaryFolder();
  const other = temporaryFolder();
  const link = join(other, 'link');
  symlinkSync(folder, link);
  const unlock = await lockCursorFile(join(folder, 'a.json'));
  await expect(lockCursorFile(join(link, 'a.json'))).rejects.toThrow('Another process');
  await expect(lockCursorFile(join(folder, 'x', '..', 'a.json'))).rejects.toThrow('Another process');
  const free = [join(folder, 'b.json'), join(other, 'a.json')];
  for (const path of free) await (await lockCursorFile(path))();
  await unlock();
  await (await lockCursorFile(join(link, 'a.json')))();
});

test('leaves a folder that is missing to the first write', async () => {
  await (await lockCursorFile(join(temporaryFolder(), 'missing', 'cursor.json')))();
});

test('the command refuses a second process, and starts again after a kill', async () => {
  const api = createServer((_request, response) => {
    response.setHeader('x-updated-through', '2026-11-21T10:15:31.123Z');
    response.end('{"data":[]}');
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  onTestFinished(() => {
    api.closeAllConnections();
    api.close();
  });
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const path = join(temporaryFolder(), 'cursor.json');
  const program = fileURLToPath(new URL('cli.ts', import.meta.url));
  const env = { PARTNER_API_URL: url, PARTNER_API_KEY: 'pek_test_k', WEBHOOK_SECRET: 'whsec_k' };
  const start = () => startNode([program, '--forward', url, '--cursor', path], env);

  const first = start();
  await once(first.stdout, 'data');
  const second = start();
  const [printed, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')]);
  expect([code, printed]).toEqual([1, expect.stringContaining(`Another process uses ${path}.`)]);
  await kill(first);
  const third = start();
  const [line] = await once(third.stdout, 'data');
  expect(String(line)).toContain('Forwarding events');
}, 30_000);
