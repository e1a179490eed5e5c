import { STATUS_CODES } from 'node:http';
import type { HttpReply } from '@partner-hiring/core';
import { expect } from 'vitest';
import { headerOf, type RawResponse } from './raw-connection.js';

/** Headers that a server must not add, because they change how a client reads the body. */
const NEVER = ['Transfer-Encoding', 'Content-Encoding', 'Trailer'];

/**
 * Expects the handler's reply on the wire. Servers may add headers such as `Date`, and change the case of
 * header names.
 */
export function expectOnWire(
  response: RawResponse,
  reply: Omit<HttpReply, 'discard'> | undefined,
  method: string,
): void {
  expect(reply, `The handler never gave this response: ${response.statusLine}`).toBeDefined();
  if (reply === undefined) return;
  expect(response.statusLine).toBe(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`);
  const names = Object.keys(reply.headers);
  expect(Object.fromEntries(names.map((name) => [name, headerOf(response, name)]))).toEqual(reply.headers);
  // This header prevents browsers from guessing another content type.
  expect(headerOf(response, 'X-Content-Type-Options')).toBe('nosniff');
  for (const name of NEVER) expect(headerOf(response, name)).toBeNull();
  expect(response.body.toString('latin1')).toBe(Buffer.from(reply.body).toString('latin1'));
  if (method === 'HEAD') return;
  expect(headerOf(response, 'Content-Length')).toBe(String(response.body.byteLength));
}
