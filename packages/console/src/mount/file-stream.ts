import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Returns whether a response is a download. Its rows are read while the browser takes them. */
export function isFile({ headers }: Response): boolean {
  return headers.has('content-disposition');
}

export function readableOf({ body }: Response): Readable {
  return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
}
