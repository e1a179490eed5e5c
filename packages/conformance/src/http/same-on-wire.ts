import { STATUS_CODES } from 'node:http';
import type { HttpReply } from '@partner-hiring/core';
import { expect } from 'vitest';
import { headerOf, type RawResponse } from './raw-response.js';

/** They would change what a client takes the body for. */
const NEVER = ['Transfer-Encoding', 'Content-Encoding', 'Trailer'];

/**
 * An adapter adds nothing and takes nothing away: the status with its phrase, every header field once with
 * its value, the body's bytes. Servers may add fields of their own (`Date`, `Connection`), and spell names
 * as they like.
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
  // Browsers must take JSON for JSON, whatever it looks like.
  expect(headerOf(response, 'X-Content-Type-Options')).toBe('nosniff');
  for (const name of NEVER) expect(headerOf(response, name)).toBeNull();
  expect(response.body.toString('latin1')).toBe(Buffer.from(reply.body).toString('latin1'));
  if (method === 'HEAD') return;
  expect(headerOf(response, 'Content-Length')).toBe(String(response.body.byteLength));
}
