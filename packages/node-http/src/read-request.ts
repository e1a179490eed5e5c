import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { types } from 'node:util';
import { type BodyLimits, type BodyResult, type HttpRequest, OperatorError } from '@partner-hiring/core';
import { trustsProxy } from './trusts-proxy.js';

/**
 * Converts a Node request for the handler. Keeps repeated header fields separate.
 * @param framework - the request of the framework, if it is not the same object.
 */
export function readRequest(
  raw: IncomingMessage,
  target: string,
  clientAddress: string,
  read: typeof readBody = readBody,
  framework: unknown = raw,
): HttpRequest {
  return {
    method: raw.method ?? '',
    target,
    clientAddress,
    headerValues: (name) => headerValues(rawHeadersOf(raw), name),
    isFromTrustedProxy: () => trustsProxy(framework),
    readBody: (limits) => read(raw, limits),
  };
}

/** The fields of a request. Hapi's `server.inject` makes requests without `rawHeaders`. */
export function rawHeadersOf({
  rawHeaders,
  headers,
}: {
  readonly rawHeaders?: readonly string[] | undefined;
  readonly headers: IncomingHttpHeaders;
}): readonly string[] {
  if (rawHeaders !== undefined) return rawHeaders;
  return Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().flatMap((value) => [name, value]),
  );
}

/** Returns all values of a header field. Only `rawHeaders` has the repeated fields. */
function headerValues(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index];
    // Comparing the lengths first avoids most calls of toLowerCase.
    const isNamed = field?.length === name.length && field.toLowerCase() === name;
    if (isNamed) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/** Says how code that must read the body first can keep it. */
export const RAW_BODY =
  'If a platform must read the body first, it must leave all bytes in `request.rawBody` as a Buffer or Uint8Array.';

/**
 * Creates a reader for requests whose body no other code has read, or whose reader has kept all bytes in
 * `rawBody`. Otherwise reading the body rejects with `MISCONFIGURED`, and the message is emitted once as a
 * process warning.
 */
export function createUntakenReader(
  message: string,
): (raw: IncomingMessage, target: string, clientAddress: string, framework?: unknown) => HttpRequest {
  let isWarningDue = true;

  async function readUntaken(raw: IncomingMessage, limits: BodyLimits): Promise<BodyResult> {
    if (!wasRead(raw)) return readBody(raw, limits);
    const kept = keptBytes(raw);
    if (kept !== null) return kept.byteLength > limits.maxBytes ? 'too_large' : kept;
    // Other code cannot have consumed the body of a request without content.
    if (!mayHaveContent(raw)) return new Uint8Array();
    const error = new OperatorError('MISCONFIGURED', message);
    if (isWarningDue) process.emitWarning(message, { type: 'PartnerHiringWarning', code: error.code });
    isWarningDue = false;
    throw error;
  }
  return (raw, target, clientAddress, framework = raw) =>
    readRequest(raw, target, clientAddress, readUntaken, framework);
}

/**
 * Returns whether other code has read the body or called `setEncoding`. `request.body` proves nothing: some
 * parsers set it without reading.
 */
function wasRead(raw: IncomingMessage): boolean {
  const isText = typeof raw.readableEncoding === 'string';
  return raw.readableDidRead || raw.readableEnded || raw.readableFlowing === true || isText;
}

/**
 * Returns a copy of the bytes that a platform or a body parser has kept in `rawBody`. Returns null if they are
 * not bytes or may be incomplete: `Content-Length` must match, and without it the stream must have ended.
 */
function keptBytes(raw: IncomingMessage & { readonly rawBody?: unknown }): Uint8Array | null {
  const { rawBody, headers, readableEnded } = raw;
  if (!types.isUint8Array(rawBody)) return null;
  const announced = headers['content-length'];
  const isWhole = announced === undefined ? readableEnded : Number(announced) === rawBody.byteLength;
  return isWhole ? Buffer.from(rawBody) : null;
}

/** Returns whether the request may have a body. Over HTTP/2, no header announces one. */
function mayHaveContent({ headers, httpVersionMajor }: IncomingMessage): boolean {
  const isAnnounced =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return isAnnounced || httpVersionMajor >= 2;
}

/** Collects the body. Stops when it exceeds its size or time limit. */
function readBody(raw: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<BodyResult> {
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
    const settle = (result: BodyResult) => {
      clearTimeout(timer);
      raw.off('data', onData).off('end', onEnd).off('close', onBreak).off('error', onBreak);
      if (typeof result === 'string') raw.pause();
      resolve(result);
    };
    raw.on('data', onData).once('end', onEnd).once('close', onBreak).once('error', onBreak);
    // Earlier middleware may have paused the request.
    raw.resume();
  });
}
