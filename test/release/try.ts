/**
 * Tries a release on a registry of its own: `npm run test:release`. It publishes the built packages to a Verdaccio on
 * loopback, installs them in an empty project, and runs a program there. It needs the npm registry for Verdaccio and for
 * the libraries, so CI does not run it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishedPackages, readManifest, root } from '../packages/manifest.js';

const VERDACCIO = 'verdaccio@6';
const START_WITHIN_MS = 180_000;

const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-release-'));
const libraries = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim();

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Our packages come from this registry alone; it fetches all others. */
const CONFIG = `
storage: ${join(folder, 'storage')}
uplinks:
  libraries:
    url: ${libraries}
packages:
  '@partner-hiring/*': { access: $all, publish: $all }
  '**': { access: $all, proxy: libraries }
log: { type: stdout, level: error }
`;

async function startRegistry(url: string): Promise<ChildProcess> {
  const config = join(folder, 'config.yaml');
  writeFileSync(config, CONFIG);
  const args = ['--yes', VERDACCIO, '--config', config, '--listen', url.replace('http://', '')];
  const registry = spawn('npx', args, { cwd: folder, stdio: 'inherit', detached: true });
  for (const until = Date.now() + START_WITHIN_MS; Date.now() < until; await sleep(250)) {
    const isUp = await fetch(`${url}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return registry;
  }
  stop(registry);
  throw new Error(`${VERDACCIO} did not start within ${START_WITHIN_MS / 1_000} s.`);
}

function stop({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid);
}

const PROGRAM = `
import { createPartnerHiring } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';

const storage = await createSqliteStorage({ file: 'try.sqlite' });
const partnerHiring = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
const { status } = await partnerHiring.fetch(new Request('http://localhost/api/v1/external/jobs'));
await partnerHiring.close();
console.log(status, typeof verifyWebhook);
`;

async function main(): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const npmrc = join(folder, '.npmrc');
  writeFileSync(npmrc, `registry=${url}\n${url.replace('http:', '')}/:_authToken=local\n`);
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', [...args, '--userconfig', npmrc, '--registry', url], { cwd, encoding: 'utf8' });

  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  const registry = await startRegistry(url);
  try {
    npm(['publish', '--workspaces'], root);
    const names = publishedPackages().map((path) => readManifest(path).name);
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
    npm(['install', ...names, 'express', 'fastify', 'better-sqlite3', 'pg', 'vitest'], project);
    writeFileSync(join(project, 'program.js'), PROGRAM);
    const said = execFileSync('node', ['program.js'], { cwd: project, encoding: 'utf8' }).trim();
    if (said !== '401 function') throw new Error(`The program printed "${said}".`);
    const installed = names.map((name) =>
      JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8')),
    );
    for (const { name, version } of installed) console.log(`${name} ${version}`);
    console.log(`${installed.length} packages were published, installed and run.`);
  } finally {
    stop(registry);
  }
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
