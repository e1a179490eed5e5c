/** Compiles and runs every program of the README. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attackReceiver, FLOODS } from '../receivers/attacks.js';
import { compileFolder } from '../tools/compiler/compile-folder.js';
import { PACKAGE } from './build-package.js';
import { EVENT, headersOf, SECRET, send } from './receivers/deliveries.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAMS = new Map(
  [
    ...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(
      /^##+ ([^\n]+)\n(?:(?!^#).)*?```ts\n(.*?)```/gms,
    ),
  ].map(([, title = '', program = '']) => [title, program] as const),
);
const fileOf = (title: string, extension: string) =>
  join(folder, `${title.replaceAll(' ', '-')}.${extension}`);

/** A project with the libraries of this one. */
let folder = '';

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'partner-hiring-readme-')));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [title, program] of PROGRAMS) {
    await writeFile(fileOf(title, 'mts'), program);
    await writeFile(fileOf(title, 'mjs'), (await transform(program, { loader: 'ts' })).code);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The check of each program. */
const CHECKS: Readonly<Record<string, (title: string) => Promise<void>>> = {
  'Express 4 and 5': checkServer,
  Fastify: checkServer,
  'Anything else': checkServer,
};

test('every fence of the README is a checked program', () => {
  const fences = readFileSync(join(PACKAGE, 'README.md'), 'utf8').match(/^```(?!sh$|$)/gm);
  expect([...PROGRAMS.keys()].sort()).toEqual(Object.keys(CHECKS).sort());
  expect(fences).toHaveLength(PROGRAMS.size);
});

test.each(Object.entries(CHECKS))('%s does what the README says', (title, check) => check(title));

test.each([
  ['with strict options', {}],
  // The default of older Nest projects.
  ['in a project that is not strict', { strict: false, exactOptionalPropertyTypes: false }],
])('the programs compile %s', (_terms, changes) => {
  expect(compileFolder(folder, changes)).toEqual({ count: PROGRAMS.size, problems: '' });
});

test('the list of reasons is complete', () => {
  const { reasons } = JSON.parse(readFileSync(join(PACKAGE, 'vectors.json'), 'utf8'));
  const table = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/^- `(\w+_\w+)`/gm)].map(
    ([, name]) => name,
  );
  expect(table.sort()).toEqual([...Object.keys(reasons), 'body_too_large'].sort());
});

const HIRED = JSON.stringify({
  ...EVENT,
  type: 'application.status_changed',
  data: {
    applicationId: 'ej_app_1',
    sourceApplicationId: null,
    jobId: 'job_1',
    oldStatus: 'in_progress',
    newStatus: 'accepted',
    currentStage: 'Hired',
    occurredAt: EVENT.createdAt,
  },
});

/** Runs a program that listens, in its own process. */
async function checkServer(title: string): Promise<void> {
  const port = await freePort();
  const env = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) };
  const child = spawn(process.execPath, [fileOf(title, 'mjs')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  try {
    await untilListening(port);
    expect((await send(port, { headers: await headersOf(HIRED), body: `${HIRED} ` })).status).toBe(400);
    expect((await send(port, { headers: await headersOf(HIRED), body: HIRED })).status).toBe(204);
    const url = `http://localhost:${port}/webhooks`;
    expect(await attackReceiver({ url, pid: child.pid, secret: SECRET }, FLOODS)).toEqual([]);
  } finally {
    child.kill();
    await once(child, 'close');
  }
  expect(printed).toContain('no_matching_signature');
  expect(printed).toMatch(/ej_app_1 is accepted|application\.status_changed evt_1/);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Fastify listens on localhost: either address. */
async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await delay(50);
  }
}
