/** Checks the files of `examples/operations/container` without Docker. `npm run test:image` runs their commands. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WORKER_DEFAULTS } from '../../packages/core/src/worker/options.js';
import { secondsOf } from '../tools/alerts/compress.js';
import { isIgnored } from '../tools/image/build-image.js';
import { DEPLOY_FOLDER, readCommand, readCompose, readCopy, readStages } from '../tools/image/dockerfile.js';
import { root } from '../tools/packages/manifest.js';

const STAGES = readStages();
const COMPOSE = readCompose();
const SERVICES = Object.entries(COMPOSE.services);
const OWN = SERVICES.filter(([name]) => ['migrate', 'api', 'worker'].includes(name));
const COPIES = STAGES.flatMap(({ instructions }) =>
  instructions.filter(({ name }) => name === 'COPY').map(({ text }) => readCopy(text)),
);

/** The programs that the image contains. */
const PROGRAMS = [
  ...STAGES.flatMap(({ instructions }) =>
    instructions.flatMap(({ text }) => [...text.matchAll(/examples\/operations\/(\w+)\.ts/g)]),
  ).map(([, name = '']) => `${name}.mjs`),
  'probe.mjs',
];

/** The source of everything that runs in the image. */
const SOURCE = ['examples/operations', 'examples/operations/container']
  .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(root, folder, file)))
  .filter((file) => /\.(?:ts|mjs)$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test('the container file copies only files that exist and are in its context', () => {
  const missing = COPIES.filter(({ from }) => from === null)
    .flatMap(({ sources }) => sources)
    .filter((path) => !existsSync(join(root, path)) || isIgnored(path));
  expect(missing).toEqual([]);
  const stages = COPIES.flatMap(({ from }) => from ?? []);
  expect(stages.filter((name) => !STAGES.some((stage) => stage.name === name))).toEqual([]);
  expect(['packages/core/dist/a.js', '.git/config', 'a/b.tgz'].map(isIgnored)).toEqual([true, true, true]);
  expect(isIgnored('packages/core/src/index.ts')).toBe(false);
});

test('the container file names the repository for its programs, and runs as another user than root', () => {
  for (const program of PROGRAMS) {
    const source = program === 'probe.mjs' ? `container/${program}` : program.replace('.mjs', '.ts');
    expect(existsSync(join(root, 'examples/operations', source)), program).toBe(true);
  }
  for (const { instructions } of STAGES.slice(1)) {
    expect(instructions.some(({ name }) => name === 'USER')).toBe(true);
  }
});

test('every command runs a program of the image', () => {
  const app = STAGES.find(({ name }) => name === 'app');
  const commands = [
    ...(app === undefined ? [] : [readCommand(app)]),
    ...OWN.flatMap(([, { command, healthcheck }]) => [command ?? [], healthcheck?.test.slice(1) ?? []]),
  ].filter((command) => command.length > 0);
  expect(commands.length).toBe(6);
  for (const [program, ...args] of commands) {
    expect(program).toBe('node');
    const files = args.filter((word) => word.endsWith('.mjs')).map((word) => word.replace('./', ''));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !PROGRAMS.includes(file))).toEqual([]);
  }
});

test('every variable of the services is read by a program', () => {
  for (const [, { environment = {} }] of OWN) {
    const unread = Object.keys(environment).filter((name) => !new RegExp(`\\b${name}\\b`).test(SOURCE));
    expect(unread).toEqual([]);
    expect(Object.keys(environment)).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'PARTNER_HIRING_SEALING_KEY']),
    );
  }
});

test('the services build stages of the file, and refer only to what exists', () => {
  for (const [name, { build, configs = [], volumes = [], depends_on = {} }] of SERVICES) {
    if (build !== undefined) {
      expect(existsSync(join(DEPLOY_FOLDER, build.context, build.dockerfile)), name).toBe(true);
      expect(STAGES.map((stage) => stage.name)).toContain(build.target);
    }
    for (const { source } of configs) expect(COMPOSE.configs).toHaveProperty(source);
    for (const volume of volumes) expect(COMPOSE.volumes).toHaveProperty(volume.split(':')[0] ?? '');
    for (const [other, { condition }] of Object.entries(depends_on)) {
      expect(COMPOSE.services, name).toHaveProperty(other);
      if (condition === 'service_healthy') expect(COMPOSE.services[other]).toHaveProperty('healthcheck');
    }
  }
});

test('the ports, names and times of the services agree', () => {
  const pooler = readFileSync(join(DEPLOY_FOLDER, 'pgbouncer.ini'), 'utf8');
  const urls = OWN.map(
    ([name, { environment }]) =>
      [name, new URL((environment?.DATABASE_URL ?? '').replace(/\$\{.*?\}/, 'x'))] as const,
  );
  for (const [name, { host, pathname, username }] of urls) {
    expect(host).toBe(name === 'migrate' ? 'postgres:5432' : 'pgbouncer:6432');
    expect([pathname, username]).toEqual(['/hiring', 'hiring']);
  }
  expect(pooler).toMatch(/^listen_port = 6432$/m);
  expect(pooler).toMatch(/^hiring = host=postgres port=5432 dbname=hiring$/m);
  expect(pooler).toMatch(/^pool_mode = transaction$/m);
  expect(COMPOSE.services.postgres?.environment).toMatchObject({
    POSTGRES_USER: 'hiring',
    POSTGRES_DB: 'hiring',
  });
  const [{ target = '' } = {}] = COMPOSE.services.pgbouncer?.configs ?? [];
  expect(pooler).toContain(`auth_file = ${target}`);
  for (const name of ['api', 'worker']) {
    const service = COMPOSE.services[name];
    expect(secondsOf(service?.stop_grace_period ?? '') * 1_000).toBeGreaterThan(WORKER_DEFAULTS.stopWithinMs);
    // The check itself takes up to three seconds.
    expect(secondsOf(service?.healthcheck?.timeout ?? '')).toBeGreaterThan(4);
  }
  expect(COMPOSE.services.api?.ports).toEqual(['127.0.0.1:3000:3000']);
});
