import { type ChildProcess, fork } from 'node:child_process';
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

/** Starts a built benchmark server and waits until it listens. */
export function startServer(file: string, args: readonly string[] = []): Promise<StartedServer> {
  const child = fork(fileURLToPath(new URL(`./servers/${file}`, import.meta.url)), args, {
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
