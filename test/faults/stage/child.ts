import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';

/** A child process from a TypeScript file in `test/faults`. It ends with the test. */
export interface Child<Ready> {
  /** Its first message. */
  readonly ready: Ready;
  isRunning(): boolean;
  /** Sends a message and resolves with the next reply. Ask one question at a time. Rejects if the process ends. */
  ask<Answer>(question: object): Promise<Answer>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/** Tolerance for a busy machine. */
const START_WITHIN_MS = 60_000;

/** Starts a child and waits for its first message. */
export async function startChild<Ready>(file: string, args: readonly string[]): Promise<Child<Ready>> {
  const child = fork(fileURLToPath(new URL(`../${file}`, import.meta.url)), args, {
    execArgv: [...RUN_BUNDLED],
  });
  const ready = await firstMessage<Ready>(child, file);
  return {
    ready,
    isRunning: () => isRunning(child),
    ask: (question) => ask(child, file, question),
    kill: async () => {
      if (!isRunning(child)) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function ask<Answer>(child: ChildProcess, file: string, question: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`${file} ended before it answered.`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.removeListener('exit', onExit);
      resolve(message as Answer);
    });
    child.send(question);
  });
}

function firstMessage<Ready>(child: ChildProcess, file: string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const giveUp = (reason: string) => {
      child.kill('SIGKILL');
      reject(new Error(`${file} ${reason}`));
    };
    const late = setTimeout(() => giveUp('was not ready in time.'), START_WITHIN_MS);
    const onExit = (code: number | null) => giveUp(`ended with ${code} before it was ready.`);
    child.once('exit', onExit);
    child.once('message', (message) => {
      clearTimeout(late);
      child.removeListener('exit', onExit);
      resolve(message as Ready);
    });
  });
}
