import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { freePort } from '../../../examples/platform/database/embedded-postgres.js';
import { stopChild } from '../../../examples/server/demo/stop-child.js';

/** A process of `examples/operations`. */
export type ExampleProcess = Awaited<ReturnType<typeof startExample>>;

type Environment = Readonly<Record<string, string>>;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = `${ROOT}examples/operations/`;
const READY_MS = 120_000;
const STOP_MS = 20_000;

/** Starts a program with its metrics, on free ports, and waits until it is ready. It ends with this process. */
export async function startExample(program: 'api.ts' | 'worker.ts', env: Environment) {
  const [port, healthPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const { child, lines } = spawnExample(program, ['--import', `${FOLDER}telemetry.ts`], {
    DRAIN_MS: '0',
    PORT: String(port),
    HEALTH_PORT: String(healthPort),
    METRICS_PORT: String(metricsPort),
    ...env,
  });
  const stop = () => stopChild(child, STOP_MS);
  try {
    await untilStatus(`http://127.0.0.1:${healthPort}/readyz`, 200);
  } catch (error) {
    await stop();
    throw new Error(`${program} did not start:\n${lines.join('\n')}`, { cause: error });
  }
  return {
    child,
    port,
    healthPort,
    metricsPort,
    /** Stops the process, or kills it if it does not stop. Returns its exit code; null if it was killed. */
    stop,
  };
}

/** Runs a program that ends. @throws Error with its output if it fails. */
export async function runExample(program: 'migrate.ts', env: Environment): Promise<void> {
  const { child, lines } = spawnExample(program, [], env);
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${program} exited with ${code}:\n${lines.join('\n')}`);
}

function spawnExample(program: string, options: readonly string[], env: Environment) {
  const child = spawn(process.execPath, [...RUN_BUNDLED, ...options, `${FOLDER}${program}`], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      if (lines.length > 50) lines.shift();
    });
  }
  return { child, lines };
}

/** Waits until a health endpoint answers with the status. @throws Error with its last answer after two minutes. */
export async function untilStatus(url: string, status: number): Promise<void> {
  for (const deadline = performance.now() + READY_MS; ; await setTimeout(200)) {
    const found = await askHealth(url);
    if (found?.status === status) return;
    if (performance.now() > deadline) {
      throw new Error(`${url} should answer ${status}, but answers ${JSON.stringify(found)}.`);
    }
  }
}

/** Returns the answer of a health endpoint; null if it does not answer. */
export function askHealth(url: string): Promise<{ readonly status: number; readonly text: string } | null> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    async (reply) => ({ status: reply.status, text: await reply.text() }),
    () => null,
  );
}
