import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { signWebhook } from '@partner-hiring/webhook-verifier';

interface Target {
  readonly url: string;
  readonly secret: string;
  readonly pid: number | undefined;
}

interface Attack {
  readonly name: string;
  /** Sent first. */
  readonly start: string;
  /** Sent again and again, until the receiver closes the connection. */
  readonly more: string;
  /** The pause before each `more`. */
  readonly everyMs: number;
}

const LINE = 'POST /webhooks HTTP/1.1\r\nHost: localhost\r\n';
const FLOOD = 'x'.repeat(65_536);
const CHUNKED = `${LINE}Transfer-Encoding: chunked\r\n\r\n`;

const withLength = (length: string): Attack => ({
  name: `a Content-Length of ${length}`,
  start: `${LINE}Content-Length: ${length}\r\n\r\n`,
  more: FLOOD,
  everyMs: 0,
});

/** Requests that never end, as fast as the receiver reads. */
export const FLOODS: readonly Attack[] = [
  ...['-1', 'ten', '1e3', '', '10000000000', '9'.repeat(30)].map(withLength),
  { name: 'a body in chunks', start: CHUNKED, more: `10000\r\n${FLOOD}\r\n`, everyMs: 0 },
  { name: 'a line before a chunk', start: CHUNKED, more: `1;${FLOOD}`, everyMs: 0 },
  { name: 'a request line', start: 'POST /', more: FLOOD, everyMs: 0 },
  { name: 'a header line', start: `${LINE}X-Long: `, more: FLOOD, everyMs: 0 },
  { name: 'header lines', start: LINE, more: 'X-More: and more\r\n'.repeat(4_096), everyMs: 0 },
];

/** Requests that never end, slowly. */
export const TRICKLES: readonly Attack[] = [
  { name: 'a slow body', start: `${LINE}Content-Length: 1000\r\n\r\n`, more: 'x', everyMs: 1_000 },
  { name: 'slow header lines', start: LINE, more: 'X: y\r\n', everyMs: 1_000 },
  { name: 'a slow request line', start: 'POST /', more: 'x', everyMs: 1_000 },
  { name: 'silence', start: '', more: '', everyMs: 1_000 },
];

/** The deadline of a receiver is 30 seconds. Some look for late requests only every few seconds. */
const END_WITHIN_MS = 45_000;
/** Far more than a receiver may read. The rest is what the buffers of the system take. */
const MOST_BYTES = 32 * 1_048_576;
/** A runtime that has been certified grows by less. */
const MOST_MEMORY = 64 * 1_048_576;

/** Makes an attack until the receiver ends it. Returns what is wrong, or null. */
async function findingOf(
  { name, start, more, everyMs }: Attack,
  { port, hostname }: URL,
): Promise<string | null> {
  const socket = connect(Number(port), hostname);
  let answer = '';
  let isLate = false;
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => {}); // a receiver may also reset the connection
  const timer = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, END_WITHIN_MS);
  const send = (text: string) => new Promise<void>((resolve) => socket.write(text, () => resolve()));
  await send(start);
  while (!socket.destroyed && socket.bytesWritten < MOST_BYTES) {
    if (everyMs > 0) await sleep(everyMs);
    await send(more);
  }
  clearTimeout(timer);
  isLate ||= !socket.destroyed;
  socket.destroy();
  const status = /^HTTP\/1\.\d (\d)/.exec(answer)?.[1];
  if (isLate) return `${name}: the connection is open after ${socket.bytesWritten} bytes`;
  return status === undefined || status === '4' ? null : `${name}: ${answer.split('\r\n', 1)}`;
}

/** Returns the most memory that the process has had, in bytes. Only Linux says it. */
function peakMemory(pid: number | undefined): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

/** Makes attacks at once, and sends a good event during them and after them. Returns what is wrong. */
export async function attackReceiver(
  { url, pid, secret }: Target,
  attacks: readonly Attack[],
): Promise<readonly string[]> {
  const before = peakMemory(pid);
  const results = attacks.map((attack) => findingOf(attack, new URL(url)));
  const statuses = [await sendEvent(url, secret)];
  const findings = (await Promise.all(results)).filter((finding) => finding !== null);
  statuses.push(await sendEvent(url, secret));
  const missed = statuses.filter((status) => status < 200 || status > 299);
  const grown = peakMemory(pid) - before;
  return [
    ...findings,
    ...missed.map((status) => `a good event: ${status}`),
    ...(grown > MOST_MEMORY ? [`the attacks take ${grown} bytes of memory`] : []),
  ];
}

/** Returns the status; 0 without an answer. */
async function sendEvent(url: string, secret: string): Promise<number> {
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    type: 'job.opened',
    createdAt: new Date().toISOString(),
    apiVersion: 'v1',
    data: { jobId: 'job_1', companyId: 'co_1', title: 'Cook', openedAt: '2026-06-15T15:06:40.000Z' },
  });
  const signature = await signWebhook({ body, secret });
  const headers = { ...signature, 'Content-Type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => 0,
  );
}
