/** Records the attempts of one endpoint and reports the bytes per attempt that survive minor collections. */
import { createSendQueue } from '../../packages/core/src/worker/delivery/send-queue.js';
import { createFairSemaphore } from '../../packages/core/src/worker/fair-semaphore.js';
import { oldBytes } from './stage/old-bytes.js';

const ATTEMPTS = 4_000;
/** Attempts per record and per minor collection. */
const AT_ONCE = 20;
const KEY = 'key_1';

const backlog = createSendQueue({ keyId: KEY, resumedAt: null }, 0, AT_ONCE);
const semaphore = createFairSemaphore(2 * AT_ONCE);
const { gc } = globalThis;
if (gc === undefined) throw new Error('Run this process with --expose-gc.');
const collect = gc;
let last = 0;

function read(): void {
  const log = Array.from({ length: AT_ONCE }, () => {
    last += 1;
    return {
      keyId: KEY,
      id: `evt_${last}`,
      at: last,
      type: 'job.closed',
      body: `{"padding":"${last}"}`,
    } as const;
  });
  backlog.add(backlog.request(false), { log, due: [] });
}

function sendOne(): void {
  semaphore.request(backlog, () => {});
  const entry = backlog.next('by_turns');
  if (entry === null) throw new Error('No event waits.');
  const outcome = { kind: 'answered', status: 204, excerpt: '' } as const;
  backlog.end({ entry, end: { outcome, endedAt: last, latencyMs: 1 }, url: '', random: 0.5 });
  semaphore.release(backlog);
}

/** Some events always wait, so the backlog never empties. */
function recordAll(): void {
  for (let done = 0; done < ATTEMPTS; done += AT_ONCE) {
    read();
    for (let sent = 0; sent < AT_ONCE; sent += 1) sendOne();
    backlog.settled(backlog.report(), []);
    collect({ type: 'minor' });
  }
}

read();
recordAll();
collect();
const before = oldBytes();
recordAll();
console.log(Math.round((oldBytes() - before) / ATTEMPTS));
