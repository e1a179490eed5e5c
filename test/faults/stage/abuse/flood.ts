import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type AttackRequest, attackHead } from './attack-request.js';
import { type RawReply, readReply } from './raw-reply.js';

/** Connections that send requests as fast as they are answered. */
export interface FloodOrder {
  readonly port: number;
  readonly connections: number;
  /** Each connection cycles through them. */
  readonly requests: readonly AttackRequest[];
}

export interface FloodTally {
  /** By status, such as `201 replayed` or `429 partner`. */
  readonly replies: Readonly<Record<string, number>>;
  /** 429s without a `Retry-After` of 1 to 60 seconds. */
  readonly withoutRetryAfter: number;
  /** Connections that ended before the reply. */
  readonly unanswered: number;
}

export type Flood = ReturnType<typeof startFlood>;

/** Limits 40 attackers to 8,000 new connections per second. */
const RECONNECT_AFTER_MS = 5;
const LOOK_EVERY_MS = 20;

/** Starts a flood. It parses little, to leave the CPU to the server. */
export function startFlood({ port, connections, requests }: FloodOrder) {
  const bodies = requests.map(({ body }) => Buffer.from(body));
  const sockets = new Set<Socket>();
  const replies: Record<string, number> = {};
  let withoutRetryAfter = 0;
  let unanswered = 0;
  let isOver = false;

  function count(reply: RawReply): void {
    const label = labelOf(reply);
    replies[label] = (replies[label] ?? 0) + 1;
    const seconds = Number(reply.header('retry-after') ?? 0);
    if (reply.status === 429 && !(seconds >= 1 && seconds <= 60)) withoutRetryAfter += 1;
  }

  /** Runs one connection. `next` is the index of its first request. */
  function flow(next: number): Promise<void> {
    return new Promise((resolve) => {
      let pending = '';
      let isWaiting = false;
      const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
      const send = () => {
        const index = next++ % requests.length;
        const [request, body] = [requests[index], bodies[index]];
        if (request === undefined || body === undefined) throw new Error('A flood needs a request.');
        isWaiting = true;
        socket.cork();
        socket.write(attackHead(request, body.length));
        if (body.length > 0) socket.write(body);
        socket.uncork();
      };
      sockets.add(socket);
      socket.on('connect', send);
      socket.on('data', (chunk: string) => {
        pending += chunk;
        const reply = readReply(pending);
        if (reply === null) return;
        pending = pending.slice(reply.length);
        isWaiting = false;
        count(reply);
        if (isOver) socket.destroy();
        else if (!/close/i.test(reply.header('connection') ?? '')) send();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        if (isWaiting && !isOver) unanswered += 1;
        resolve();
      });
    });
  }

  async function keepFlowing(start: number): Promise<void> {
    for (let round = start; !isOver; round += 1) {
      await flow(round);
      await setTimeout(RECONNECT_AFTER_MS);
    }
  }

  const flows = Array.from({ length: connections }, (_, index) => keepFlowing(index));
  return {
    /** Ends the flood at the first reply of this kind, or after `withinMs`. */
    stopAfter: async (kind: string, withinMs: number) => {
      const until = performance.now() + withinMs;
      while (replies[kind] === undefined && performance.now() < until) await setTimeout(LOOK_EVERY_MS);
      isOver = true;
      for (const socket of sockets) socket.destroy();
      await Promise.all(flows);
      return { replies, withoutRetryAfter, unanswered };
    },
  };
}

function labelOf(reply: RawReply): string {
  if (reply.header('idempotent-replayed') === 'true') return `${reply.status} replayed`;
  if (reply.status !== 429) return String(reply.status);
  return `429 ${(JSON.parse(reply.body) as { readonly scope: string }).scope}`;
}
