/**
 * Tries a release on a registry of its own: `npm run test:release`. It publishes the packed packages to a Verdaccio on
 * loopback, installs them in an empty project, and runs a program there. It needs Verdaccio, which `npm ci` does not
 * install, so CI does not run it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishedPackages, readManifest, root } from '../packages/manifest.js';

/** A dependency of Verdaccio asks for a tag of node-fetch that not every mirror of the registry has. */
const VERDACCIO = {
  private: true,
  dependencies: { verdaccio: '^6.1.0' },
  overrides: { 'node-fetch': '^2.7.0' },
};
const START_WITHIN_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-release-'));

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

/** Anybody may publish and install. */
const CONFIG = `
storage: ${join(folder, 'storage')}
packages:
  '**': { access: $all, publish: $all }
log: { type: stdout, level: error }
`;

async function startRegistry(url: string): Promise<ChildProcess> {
  const config = join(folder, 'config.yaml');
  writeFileSync(config, CONFIG);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(VERDACCIO));
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  const args = ['verdaccio', '--config', config, '--listen', url.replace('http://', '')];
  const registry = spawn('npx', args, { cwd: folder, stdio: 'inherit', detached: true });
  for (const until = Date.now() + START_WITHIN_MS; Date.now() < until; await sleep(250)) {
    const isUp = await fetch(`${url}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return registry;
  }
  stop(registry);
  throw new Error(`Verdaccio did not start within ${START_WITHIN_MS / 1_000} s.`);
}

/** Ends it with the processes that it started, unless it has ended by itself. */
function stop({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid);
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
  const project = join(folder, 'project');
  const tarballs = join(folder, 'tarballs');
  mkdirSync(project);
  const npm = (args: readonly string[], cwd: string) => execFileSync('npm', args, { cwd, stdio: 'inherit' });

  npm(['run', '--silent', 'pack', '--', tarballs], root);
  const registry = await startRegistry(url);
  try {
    const login = `--${url.replace('http:', '')}/:_authToken=local`;
    for (const name of readdirSync(tarballs)) {
      npm(['publish', `./${name}`, '--ignore-scripts', '--registry', url, login], tarballs);
    }
    const names = publishedPackages().map((path) => readManifest(path).name);
    // All other packages come from the usual registry.
    writeFileSync(join(project, '.npmrc'), `@partner-hiring:registry=${url}\n`);
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
