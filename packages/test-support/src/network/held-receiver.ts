import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** A receiver in a thread of its own, so that it answers while this thread is blocked. */
export interface HeldReceiver {
  readonly url: string;
  /** Resolves when it has read a request. It holds the answer back. */
  requested(): Promise<void>;
  /** Blocks this thread until the answer is written, and then for so many milliseconds. */
  answerWhileBlocked(ms: number): void;
}

const REQUESTED = 0;
const RELEASED = 1;
const ANSWERED = 2;

/** What the thread runs. The flags are shared memory: messages would need the event loop that is blocked. */
const PROGRAM = `
const { createServer } = require('node:http');
const { parentPort, workerData: flags } = require('node:worker_threads');
const set = (flag) => { Atomics.store(flags, flag, 1); Atomics.notify(flags, flag); };
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    set(${REQUESTED});
    Atomics.wait(flags, ${RELEASED}, 0);
    response.writeHead(200, { 'content-length': '2' }).end('ok', () => set(${ANSWERED}));
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** Starts a receiver on loopback that ends with the test. */
export async function startHeldReceiver(): Promise<HeldReceiver> {
  const flags = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const thread = new Worker(PROGRAM, { eval: true, workerData: flags });
  onTestFinished(async () => {
    await thread.terminate();
  });
  const [port] = (await once(thread, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    requested: async () => {
      // Not on a timer: the loop runs timers first, so sockets would be read before the next timer is due.
      while (Atomics.load(flags, REQUESTED) === 0) await new Promise((resolve) => setImmediate(resolve));
    },
    answerWhileBlocked: (ms) => {
      Atomics.store(flags, RELEASED, 1);
      Atomics.notify(flags, RELEASED);
      Atomics.wait(flags, ANSWERED, 0);
      // Nobody writes this one: the wait ends with its time.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    },
  };
}
