import type { IncomingMessage } from 'node:http';
import { readRequest } from '@partner-hiring/node-http';
import { BodyRefused, FORM_TIMEOUT_MS, MAX_FORM_BYTES } from '../http/read-form.js';
import { formText } from './to-web-request.js';

const BODY = { maxBytes: MAX_FORM_BYTES, timeoutMs: FORM_TIMEOUT_MS } as const;

/**
 * Returns the body of a request as a stream that reads nothing until it is asked. So the console can check who sent a
 * form before it reads the form.
 * @param parsed - what a body parser of the host made of the body.
 */
export function lazyBody(raw: IncomingMessage, target: string, parsed: unknown): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const bytes = await readBodyOf(raw, target, parsed);
        if (bytes.byteLength > 0) controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** @throws BodyRefused if the body is too large, too slow or broken off, or if another program has read it. */
async function readBodyOf(raw: IncomingMessage, target: string, parsed: unknown): Promise<Uint8Array> {
  if (raw.readableDidRead || raw.readableEnded || isParsed(parsed)) {
    const text = formText(parsed);
    if (text === null) throw new BodyRefused(400);
    return Buffer.from(text);
  }
  const bytes = await readRequest(raw, target, '').readBody(BODY);
  if (bytes === 'too_large') throw new BodyRefused(413);
  if (bytes === 'timed_out') throw new BodyRefused(408);
  if (bytes === 'broken_off') throw new BodyRefused(400);
  return bytes;
}

/** Express 4 sets an empty object before its parsers run. */
function isParsed(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length > 0;
}
