import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../outside/free-port.js';
import { run } from '../tools/packages/run.js';
import { type Language, RECEIVERS } from './languages.js';

const START_MS = 30_000;

/**
 * Builds and starts a receiver.
 * @param scratch - a folder for what it builds and stores
 * @param secrets - with commas between them
 */
export async function runReceiver(language: Language, scratch: string, secrets: string) {
  for (const [command, args] of language.prepare(scratch)) await run(RECEIVERS, command, ...args);
  const port = await freePort();
  const [command, args] = language.start(scratch);
  const child = spawn(command, args, {
    cwd: RECEIVERS,
    env: { ...process.env, WEBHOOK_SECRET: secrets, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  try {
    await waitForPort(port, () => child.exitCode !== null);
  } catch (error) {
    await stop();
    throw new Error(log, { cause: error });
  }
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    pid: child.pid,
    /** Returns what it has logged. */
    log: () => log,
    stop,
  };
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
