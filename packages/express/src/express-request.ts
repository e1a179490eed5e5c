import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpRequest, OperatorError } from '@partner-hiring/core';
import { readRequest } from '@partner-hiring/node-http';
import { MOUNT_FIRST } from './body-parsers.js';

/** What is read of an Express request beyond Node's own. */
export interface ExpressRequest extends IncomingMessage {
  /** The target below where the middleware is mounted. */
  url: string;
  /** The client's address, by the application's `trust proxy`; none once the connection is gone. */
  readonly ip?: string | undefined;
}

/** What is used of an Express response: no more than Node's own. */
export type ExpressResponse = ServerResponse;

/** As for servers that do not know the address. */
const UNKNOWN_ADDRESS = 'unknown';

const TAKEN = `The body of a partner request was read before partnerHiringExpress could. ${MOUNT_FIRST}`;

/** An Express request as the handler takes it. If something else has read its body, reading it rejects. */
export function readUnparsed(request: ExpressRequest, onTaken: (error: OperatorError) => void): HttpRequest {
  const unparsed = readRequest(request, request.url, request.ip ?? UNKNOWN_ADDRESS);
  return {
    ...unparsed,
    readBody: async (limit) => {
      // A parser that saw no content has taken nothing, though it may have read to the end.
      if (!announcesContent(request)) return new Uint8Array();
      if (!wasRead(request)) return unparsed.readBody(limit);
      const error = new OperatorError('MISCONFIGURED', TAKEN);
      onTaken(error);
      throw error;
    },
  };
}

/**
 * Whether something else has read of the body, or is reading it. The stream tells; what others left on the
 * request does not: many set `body` without having read anything.
 */
function wasRead(request: IncomingMessage): boolean {
  return request.readableDidRead || request.readableEnded || request.readableFlowing === true;
}

function announcesContent({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
