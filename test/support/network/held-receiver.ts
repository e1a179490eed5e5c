import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

const REQUESTED = 0;
const RELEASED = 1;
const ANSWERED = 2;

/**
 * The program of the receiver's thread. The threads share memory, because messages would need the event loop
 * of the blocked thread.
 */
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

/** Starts a receiver on loopback for the test. */
export async function startHeldReceiver() {
  const flags = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const thread = new Worker(PROGRAM, { eval: true, workerData: flags });
  onTestFinished(async () => {
    await thread.terminate();
  });
  const [port] = (await once(thread, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    /**
     * Resolves when the receiver has read a request. The receiver does not respond before `answerWhileBlocked`.
     */
    requested: async () => {
      // This loop does not use a timer, because the event loop would read sockets before the next timer.
      while (Atomics.load(flags, REQUESTED) === 0) await new Promise((resolve) => setImmediate(resolve));
    },
    /** Blocks this thread until the response is written, and for `ms` after that. */
    answerWhileBlocked: (ms: number) => {
      Atomics.store(flags, RELEASED, 1);
      Atomics.notify(flags, RELEASED);
      Atomics.wait(flags, ANSWERED, 0);
      // Blocks for `ms`: nothing changes this flag, so the wait times out.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    },
  };
}
