import { once } from 'node:events';
import { connect } from 'node:net';

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

export interface RawResponse {
  readonly statusLine: string;
  readonly status: number;
  /** Names and values in their original form and order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Returns a response and its length, or null if it is incomplete. */
export function parseResponse(
  bytes: Buffer,
  method: string,
  isEnded: boolean,
): { readonly response: RawResponse; readonly taken: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const head = { statusLine, status: Number(statusLine.split(' ')[1]), headers: lines.map(parseField) };
  const rest = bytes.subarray(headEnd + 4);
  const content = parseContent(head, rest, method, isEnded);
  if (content === null) return null;
  return { response: { ...head, body: content.body }, taken: headEnd + 4 + content.taken };
}

/** Returns a header or null. Throws if it occurs more than once. */
export function headerOf({ headers }: Pick<RawResponse, 'headers'>, name: string): string | null {
  const values = headers.filter(([other]) => other.toLowerCase() === name.toLowerCase());
  if (values.length > 1) throw new Error(`${name} came ${values.length} times.`);
  return values[0]?.[1] ?? null;
}

export function jsonOf({ body }: Pick<RawResponse, 'body'>): Readonly<Record<string, unknown>> {
  return JSON.parse(body.toString()) as Record<string, unknown>;
}

function parseField(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

type Content = { readonly body: Buffer; readonly taken: number };

function parseContent(
  head: Omit<RawResponse, 'body'>,
  rest: Buffer,
  method: string,
  isEnded: boolean,
): Content | null {
  if (method === 'HEAD' || head.status < 200 || head.status === 204 || head.status === 304) {
    return { body: Buffer.alloc(0), taken: 0 };
  }
  if (headerOf(head, 'Transfer-Encoding') === 'chunked') return parseChunks(rest);
  const length = headerOf(head, 'Content-Length');
  if (length === null) return isEnded ? { body: rest, taken: rest.length } : null;
  if (rest.length < Number(length)) return null;
  return { body: rest.subarray(0, Number(length)), taken: Number(length) };
}

function parseChunks(bytes: Buffer): Content | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return { body: Buffer.concat(chunks), taken: next };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}

/** How long to wait for a response. It is shorter than the timeout of a test. */
const RESPONSE_TIMEOUT_MS = 10_000;

export async function openConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let bytes = Buffer.alloc(0);
  let isEnded = false;
  let onNews = () => {};
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    onNews();
  });
  // A reset needs no handling here: the missing response fails the test.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isEnded = true;
      onNews();
      resolve();
    });
  });
  await once(socket, 'connect');

  function read(method = 'GET'): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) =>
        reject(new Error(`${why}; so far: ${JSON.stringify(bytes.toString('latin1'))}`));
      const timer = setTimeout(() => fail(`No response in ${RESPONSE_TIMEOUT_MS} ms`), RESPONSE_TIMEOUT_MS);
      onNews = () => {
        const parsed = parseResponse(bytes, method, isEnded);
        if (parsed === null && !isEnded) return;
        clearTimeout(timer);
        onNews = () => {};
        if (parsed === null) return fail('The connection was closed');
        bytes = bytes.subarray(parsed.taken);
        resolve(parsed.response);
      };
      onNews();
    });
  }

  return {
    write: (data: string | Uint8Array) => void socket.write(data),
    /** Sends each piece in a packet of its own, as far as the network allows. */
    writePieces: async (pieces: readonly (string | Uint8Array)[]) => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    /** Reads the next response, including interim ones (1xx). */
    read,
    /** Resolves when either side has closed the connection. */
    closed,
    destroy: () => void socket.destroy(),
  };
}
