import { connect } from 'node:net';
import { type RawReply, readReply } from './raw-reply.js';

/** What became of a request whose body is not complete. */
export interface HalfSent {
  /** Null if the connection ended without one, or none came in time. */
  readonly reply: RawReply | null;
  /** From the first byte of the request; infinite if it did not happen in time. */
  readonly answeredAfterMs: number;
  readonly endedAfterMs: number;
}

/** Longer than the service keeps such a connection. */
const WATCH_MS = 8_000;

/** Sends the head of a request and a part of its body, and watches the connection until the service ends it. */
export function sendHalf(port: number, head: string, part: string): Promise<HalfSent> {
  return new Promise((resolve) => {
    let text = '';
    let reply: RawReply | null = null;
    let answeredAfterMs = Number.POSITIVE_INFINITY;
    let sentAt = performance.now();
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    const settle = (endedAfterMs: number) => {
      clearTimeout(late);
      socket.destroy();
      resolve({ reply, answeredAfterMs, endedAfterMs });
    };
    const late = setTimeout(settle, WATCH_MS, Number.POSITIVE_INFINITY);
    socket.on('connect', () => {
      sentAt = performance.now();
      socket.write(head);
      socket.write(part);
    });
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (reply !== null) return;
      reply = readReply(text);
      if (reply !== null) answeredAfterMs = performance.now() - sentAt;
    });
    socket.on('error', () => {});
    socket.on('close', () => settle(performance.now() - sentAt));
  });
}
