import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own. */
export interface StartedServer {
  readonly port: number;
  /** The process, for those that say more. */
  readonly child: ChildProcess;
  /** All that it said when it was ready. */
  readonly message: Readonly<Record<string, unknown>>;
  stop(): void;
}

/** Where the benchmark servers of this checkout are, once they are built. */
const OWN_SERVERS = fileURLToPath(new URL('./servers', import.meta.url));

/**
 * Starts a built benchmark server and waits until it listens.
 *
 * @param folder - where the built servers are: those of this checkout unless it names another's.
 */
export function startServer(
  file: string,
  args: readonly string[] = [],
  folder: string = OWN_SERVERS,
): Promise<StartedServer> {
  const child = fork(join(folder, file), args, {
    execArgv: (process.env.BENCH_NODE ?? '').split(' ').filter((arg) => arg !== ''),
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code} before it was ready.`)));
    child.once('message', (message: { port: number }) => {
      child.removeAllListeners('exit');
      resolve({ child, port: message.port, message: { ...message }, stop: () => void child.kill() });
    });
  });
}
