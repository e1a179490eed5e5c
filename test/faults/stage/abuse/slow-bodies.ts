import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type AttackRequest, attackHead } from './attack-request.js';

/** Connections that send incomplete bodies. */
export interface SlowBodiesOrder {
  readonly port: number;
  readonly connections: number;
  readonly request: Omit<AttackRequest, 'body'>;
  /** The announced length. */
  readonly announced: number;
  /** Sent at once. Then half of the connections stall, and the others send one byte per second. */
  readonly sent: number;
}

export interface SlowBodiesTally {
  /** Durations of ended connections, in milliseconds. */
  readonly endedAfterMs: readonly number[];
  readonly stillOpen: number;
  /** By status. */
  readonly replies: Readonly<Record<string, number>>;
}

export type SlowBodies = ReturnType<typeof startSlowBodies>;

/** Accepting hundreds at once blocks any Node server. */
const OPENED_AT_ONCE = 40;
const OPEN_EVERY_MS = 50;
const DRIP_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 50;

export function startSlowBodies(order: SlowBodiesOrder) {
  const { port, connections, request, announced, sent } = order;
  const start = Buffer.alloc(sent, ' ');
  const sockets = new Set<Socket>();
  const endedAfterMs: number[] = [];
  const replies: Record<string, number> = {};

  function open(index: number): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      const openedAt = performance.now();
      sockets.add(socket);
      const drip = setInterval(() => socket.write(' '), DRIP_EVERY_MS);
      if (index % 2 === 0) clearInterval(drip);
      socket.on('error', () => {});
      socket.on('connect', () => {
        socket.write(attackHead(request, announced));
        // The server may answer before it reads the whole body.
        socket.write(start, () => resolve());
      });
      socket.once('data', (chunk) => {
        const status = chunk.toString('latin1', 9, 12);
        replies[status] = (replies[status] ?? 0) + 1;
      });
      socket.on('close', () => {
        clearInterval(drip);
        resolve();
        if (sockets.delete(socket)) endedAfterMs.push(performance.now() - openedAt);
      });
    });
  }

  async function openAll(): Promise<void> {
    const opening: Promise<void>[] = [];
    for (let index = 0; index < connections; index += 1) {
      if (index > 0 && index % OPENED_AT_ONCE === 0) await setTimeout(OPEN_EVERY_MS);
      opening.push(open(index));
    }
    await Promise.all(opening);
  }

  const opened = openAll();
  return {
    /** Resolves when all have sent their first bytes. */
    opened,
    /** Waits until the server ended all, at most `withinMs`; then ends the rest. */
    stop: async (withinMs: number) => {
      const until = performance.now() + withinMs;
      while (sockets.size > 0 && performance.now() < until) await setTimeout(LOOK_EVERY_MS);
      const stillOpen = [...sockets];
      sockets.clear();
      for (const socket of stillOpen) socket.destroy();
      return { endedAfterMs, stillOpen: stillOpen.length, replies };
    },
  };
}
