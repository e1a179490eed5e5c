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
