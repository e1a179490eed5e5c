import { connect } from 'node:net';
import { type RawReply, readReply } from './raw-reply.js';

/** The result of a request with an incomplete body. */
export interface HalfSent {
  /** Null without a reply in time. */
  readonly reply: RawReply | null;
  /** From the first byte; infinite without a reply in time. */
  readonly answeredAfterMs: number;
  readonly endedAfterMs: number;
}

/** Longer than the service's limit. */
const WATCH_MS = 8_000;

/** Sends a head and a part of a body, and waits until the service ends the connection. */
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
