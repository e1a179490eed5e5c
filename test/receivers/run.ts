/**
 * Runs verifiers that were written from `docs/webhooks.md` alone on the required vectors, and certifies the receivers in
 * `examples/receivers`: `npm run test:receivers`, or `npm run test:receivers -- python` for one.
 * Needs Python 3.8, Go 1.19, PHP 8, Ruby 3 and Java 17 or newer:
 * `apt-get install python3 golang-go php-cli ruby default-jdk-headless python3-flask
 * python3-django ruby-railties ruby-actionpack puma`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { certify } from '@partner-hiring/certify';
import { run } from '../packages/run.js';
import { FRAMEWORKS, LANGUAGES, type Language, RECEIVERS } from './languages.js';
import { checkVerifier, VERIFIERS } from './verifiers.js';

const SECRET = 'whsec_Rm9yIHRoZSByZWNlaXZlcnMgb2YgdGhlIHRlc3Rz';
/** Both keys of a partner may send to one URL. */
const SECRETS = `whsec_T2YgdGhlIG90aGVyIGtleQ, ${SECRET}`;
const START_MS = 30_000;

/** @throws Error that names the package to install */
async function requireTool({ tool, install }: Language): Promise<string> {
  return run(RECEIVERS, tool[0], ...tool[1]).catch(() => {
    throw new Error(`${tool[0]} is missing. Install it: ${install}`);
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitForPort(port: number, hasEnded: () => boolean): Promise<void> {
  for (const from = Date.now(); Date.now() - from < START_MS; await sleep(50)) {
    if (hasEnded()) throw new Error('The receiver ended before it listened.');
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error(`The receiver does not listen on port ${port}.`);
}

/** Builds, starts and certifies one receiver. @throws Error with the findings */
async function certifyReceiver(name: string, language: Language, scratch: string): Promise<string> {
  const version = await requireTool(language);
  for (const [command, args] of language.prepare(scratch)) await run(RECEIVERS, command, ...args);
  const port = await freePort();
  const [command, args] = language.start(scratch);
  const child = spawn(command, args, {
    cwd: RECEIVERS,
    env: { ...process.env, WEBHOOK_SECRET: SECRETS, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Shown only after a failure, because some servers log every request.
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'exit');
  try {
    await waitForPort(port, () => child.exitCode !== null);
    const oldSecret = `${SECRET}-of-last-year`;
    const { passed, findings, checks } = await certify({
      url: `http://127.0.0.1:${port}/webhooks`,
      secret: SECRET,
      oldSecret,
    });
    const left = checks.filter(({ verdict }) => verdict !== 'passed').map(({ name: check }) => check);
    if (!passed || findings.length > 0 || left.length > 0) {
      throw new Error(`${name}: ${[...findings.map(({ summary }) => summary), ...left].join('\n')}`);
    }
    return `ok  ${name}: ${checks.length} checks passed without findings, ${version.split('\n', 1).join()}`;
  } catch (error) {
    console.error(log);
    throw error;
  } finally {
    child.kill();
    await ended;
  }
}

const all: Readonly<Record<string, Language>> = { ...LANGUAGES, ...FRAMEWORKS };
const known = [...new Set([...Object.keys(VERIFIERS), ...Object.keys(all)])];
const names = process.argv.length > 2 ? process.argv.slice(2) : known;
const scratch = mkdtempSync(join(tmpdir(), 'partner-hiring-receivers-'));
try {
  for (const name of names) {
    const [language, verifier] = [all[name], VERIFIERS[name]];
    if (language === undefined && verifier === undefined)
      throw new Error(`Unknown language ${name}. Use ${known.join(' or ')}.`);
    if (verifier !== undefined) console.log(checkVerifier(name, verifier));
    if (language !== undefined) console.log(await certifyReceiver(name, language, scratch));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
