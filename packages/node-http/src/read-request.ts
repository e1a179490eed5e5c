import type { IncomingMessage } from 'node:http';
import type { BodyLimits, BodyResult, HttpRequest } from '@partner-hiring/core';

/**
 * A request of Node's server as the handler takes it. Repeated header fields stay apart.
 *
 * @param read - reads its body; from its first byte on unless given.
 */
export function readRequest(
  raw: IncomingMessage,
  target: string,
  clientAddress: string,
  read: typeof readBody = readBody,
): HttpRequest {
  return {
    method: raw.method ?? '',
    target,
    clientAddress,
    headerValues: (name) => headerValues(raw.rawHeaders, name),
    readBody: (limits) => read(raw, limits),
  };
}

/** Node drops or joins repeated fields elsewhere; only the raw list has them all. */
function headerValues(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index];
    // Most are of another length, and need not be spelled anew.
    const isNamed = field?.length === name.length && field.toLowerCase() === name;
    if (isNamed) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** Collects the body. Stops listening when it is too long or takes too long, so that the rest is not kept. */
export function readBody(raw: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<BodyResult> {
  if (raw.destroyed || raw.readableEnded) return Promise.resolve('broken_off');
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;

    const onData = (chunk: Uint8Array) => {
      length += chunk.byteLength;
      if (length > maxBytes) settle('too_large');
      else chunks.push(chunk);
    };
    const onEnd = () => settle(Buffer.concat(chunks, length));
    const onBreak = () => settle('broken_off');
    const timer = setTimeout(() => settle('timed_out'), timeoutMs);
    const settle = (reading: BodyResult) => {
      clearTimeout(timer);
      raw.off('data', onData).off('end', onEnd).off('close', onBreak).off('error', onBreak);
      if (typeof reading === 'string') raw.pause();
      resolve(reading);
    };
    raw.on('data', onData).once('end', onEnd).once('close', onBreak).once('error', onBreak);
    // Whoever held it back while asking something of its own need not know who reads it in the end.
    raw.resume();
  });
}
