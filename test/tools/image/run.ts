/**
 * Runs the container file of `examples/operations/container` without Docker: `npm run test:image`. Builds its stages in folders, and runs
 * the commands of the compose file on PostgreSQL behind PgBouncer, with its `pgbouncer.ini`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startPostgresServer } from '@partner-hiring/test-support/postgres/server';
import pg from 'pg';
import { freePort } from '../../../examples/platform/database/embedded-postgres.js';
import { stopChild } from '../../../examples/server/demo/stop-child.js';
import { installedKnowsStatements } from '../../pgbouncer/start-pgbouncer.js';
import { secondsOf } from '../alerts/compress.js';
import { installMissing } from '../alerts/programs.js';
import { inScratch } from '../matrix/in-scratch.js';
import { runCommand } from '../matrix/run-command.js';
import { type BuiltStage, buildImage } from './build-image.js';
import { DEPLOY_FOLDER, readCompose, type Service } from './dockerfile.js';

const compose = readCompose();
const PASSWORD = 'a-password-of-the-test';
const VARIABLES: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: PASSWORD,
  PARTNER_HIRING_SEALING_KEY: Buffer.from('0123456789abcdef0123456789ABCDEF').toString('base64'),
};
const START_MS = 60_000;

/** Fills in the variables of a text, as compose does. */
function interpolate(text: string): string {
  return text.replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) => VARIABLES[name] ?? `no ${name}`);
}

function serviceOf(name: string): Service {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`The compose file has no service ${name}.`);
  return service;
}

/** The environment of a service, with hosts and ports of this machine. */
function environmentOf(service: Service, ports: Readonly<Record<string, string>>): Record<string, string> {
  const given = Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolate(value)]);
  const env = Object.fromEntries(given) as Record<string, string>;
  const local = { ...env, HOST: '127.0.0.1', METRICS_HOST: '127.0.0.1', ...ports };
  return local;
}

async function startPooler(
  scratch: string,
  serverPort: string,
): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort();
  const users = join(scratch, 'users.txt');
  writeFileSync(users, `${interpolate(compose.configs.pgbouncer_users?.content ?? '')}\n`);
  const config = readFileSync(join(DEPLOY_FOLDER, 'pgbouncer.ini'), 'utf8')
    .replace('host=postgres port=5432', `host=127.0.0.1 port=${serverPort}`)
    .replace('listen_addr = 0.0.0.0', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/etc/pgbouncer/users.txt', users)
    .replace(/^max_prepared_statements.*$/m, (line) => (installedKnowsStatements() ? line : ''));
  const file = join(scratch, 'pgbouncer.ini');
  writeFileSync(file, config);
  const isRoot = userInfo().uid === 0;
  if (isRoot) chmodSync(scratch, 0o755);
  const child = spawn('pgbouncer', isRoot ? ['-u', 'postgres', file] : [file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { port, stop: async () => void (await stopChild(child, 10_000)) };
}

async function createRole(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create role hiring login password '${PASSWORD}'`);
  await client.query('create database hiring owner hiring');
  await client.end();
}

function start({ folder, env }: BuiltStage, service: Service, more: Record<string, string>): ChildProcess {
  const [command = '', ...args] = service.command ?? [];
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env, ...more },
    stdio: 'inherit',
  });
  process.once('exit', () => void child.kill('SIGKILL'));
  return child;
}

/** Runs the health check of a service until it succeeds. */
async function untilHealthy(
  image: BuiltStage,
  { healthcheck }: Service,
  env: Record<string, string>,
): Promise<void> {
  const [, command = '', ...args] = healthcheck?.test ?? [];
  for (const deadline = performance.now() + START_MS; ; await setTimeout(500)) {
    const probe = spawn(command, args, {
      cwd: image.folder,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const [code] = (await once(probe, 'exit')) as [number | null];
    if (code === 0) return;
    if (performance.now() > deadline) throw new Error('The health check does not succeed.');
  }
}

async function play(scratch: string, image: BuiltStage, serverUrl: string): Promise<void> {
  await createRole(serverUrl);
  const serverPort = new URL(serverUrl).port;
  const pooler = await startPooler(scratch, serverPort);
  const onThisMachine = (url: string) =>
    url
      .replace('pgbouncer:6432', `127.0.0.1:${pooler.port}`)
      .replace('postgres:5432', `127.0.0.1:${serverPort}`);
  const running: { service: Service; child: ChildProcess }[] = [];
  try {
    for (const name of ['migrate', 'api', 'worker']) {
      const service = serviceOf(name);
      const [port, healthPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
      const ports = { PORT: `${port}`, HEALTH_PORT: `${healthPort}`, METRICS_PORT: `${metricsPort}` };
      const env = environmentOf(service, ports);
      env.DATABASE_URL = onThisMachine(env.DATABASE_URL ?? '');
      const child = start(image, service, env);
      if (name === 'migrate') {
        const [code] = (await once(child, 'exit')) as [number | null];
        if (code !== 0) throw new Error(`The service migrate ended with ${code}.`);
        continue;
      }
      running.push({ service, child });
      await untilHealthy(image, service, env);
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      if (!/^partner_hiring_storage_up\S* 1$/m.test(metrics)) throw new Error(`${name} has no metrics.`);
      if (name !== 'api') continue;
      const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/external/jobs`);
      if (status !== 401) throw new Error(`The API answered ${status}.`);
      const doctor = { ...process.env, ...env };
      await runCommand(image.folder, doctor, 'npx', ['partner-hiring', 'keys', 'list']);
    }
    for (const { service, child } of running) {
      const code = await stopChild(child, secondsOf(service.stop_grace_period ?? '') * 1_000);
      if (code !== 0) throw new Error(`A service ended with ${code} at SIGTERM.`);
    }
    console.log('\nThe services start, become healthy, answer and stop.');
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await pooler.stop();
  }
}

installMissing([{ name: 'pgbouncer', package: 'pgbouncer' }]);
await inScratch(async (scratch) => {
  const image = await buildImage(scratch, 'app');
  const postgres = await startPostgresServer();
  try {
    await play(scratch, image, postgres.url);
  } finally {
    await postgres.stop();
  }
});
