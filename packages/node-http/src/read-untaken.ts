import type { IncomingMessage } from 'node:http';
import { type BodyLimits, type BodyResult, type HttpRequest, OperatorError } from '@partner-hiring/core';
import { readBody, readRequest } from './read-request.js';

/**
 * Reads requests that code of the host has seen before: if that has read of the body, reading it rejects with
 * `MISCONFIGURED` and this message, which names the fix. It goes to the process's warnings too, once: a host
 * without a logger must see it.
 */
export function createUntakenReader(
  message: string,
): (raw: IncomingMessage, target: string, clientAddress: string) => HttpRequest {
  let isWarningDue = true;

  async function readUntaken(raw: IncomingMessage, limits: BodyLimits): Promise<BodyResult> {
    if (!wasRead(raw)) return readBody(raw, limits);
    // A parser that saw no content has taken nothing, though it may have read to the end.
    if (!mayHaveContent(raw)) return new Uint8Array();
    const error = new OperatorError('MISCONFIGURED', message);
    if (isWarningDue) process.emitWarning(message, { type: 'PartnerHiringWarning', code: error.code });
    isWarningDue = false;
    throw error;
  }
  return (raw, target, clientAddress) => readRequest(raw, target, clientAddress, readUntaken);
}

/**
 * Whether something else has read of the body, or is reading it, or has it come as text, which is not always the bytes
 * that were sent. The stream tells; what others left on the request does not: many set `body` without having read
 * anything.
 */
function wasRead(raw: IncomingMessage): boolean {
  const isText = typeof raw.readableEncoding === 'string';
  return raw.readableDidRead || raw.readableEnded || raw.readableFlowing === true || isText;
}

/** HTTP/2 need not say before that a body follows. */
function mayHaveContent({ headers, httpVersionMajor }: IncomingMessage): boolean {
  const isAnnounced =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return isAnnounced || httpVersionMajor >= 2;
}
