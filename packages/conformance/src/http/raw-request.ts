/** A header as sent, including its letter case. */
export type Field = readonly [name: string, value: string];

export interface RequestParts {
  readonly method?: string;
  /** The request target as sent. */
  readonly target: string;
  readonly fields?: readonly Field[];
  /** The body. `Content-Length` is added unless `fields` has a `Content-Length` or `Transfer-Encoding`. */
  readonly body?: string | Uint8Array;
}

const FRAMING = /^(?:content-length|transfer-encoding)$/i;

export function buildRequest({ method = 'GET', target, fields = [], body }: RequestParts): Buffer {
  const isFramed = body === undefined || fields.some(([name]) => FRAMING.test(name));
  const length: readonly Field[] = isFramed ? [] : [['Content-Length', String(Buffer.byteLength(body))]];
  const lines = [['Host', 'partner-api.test'] as const, ...fields, ...length].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    Buffer.from(body ?? ''),
  ]);
}

export function chunked(...chunks: readonly string[]): string {
  const framed = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`);
  return `${framed.join('')}0\r\n\r\n`;
}
