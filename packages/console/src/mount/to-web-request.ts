import type { IncomingHttpHeaders } from 'node:http';

/** Returns whether a path is the console's path, or below it. */
export function isUnder(path: string, consolePath: string): boolean {
  return path === consolePath || path.startsWith(`${consolePath}/`);
}

/** Returns the path of a request target. */
export function pathOfTarget(target: string): string {
  const [path = ''] = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return path;
}

const UNKNOWN_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** The parts of a framework's request that a web request is made of. */
export interface RequestParts {
  readonly method: string;
  /** The target as the client sent it. */
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly isEncrypted: boolean;
  /** The body, or null. */
  readonly body: ReadableStream<Uint8Array> | null;
}

/** Makes a web request. Null if the client sent an invalid host, or a method that web requests do not support. */
export function toWebRequest(parts: RequestParts): Request | null {
  const { method, target, rawHeaders, isEncrypted, body } = parts;
  const host = parts.headers.host ?? parts.headers[':authority'];
  const base = `${isEncrypted ? 'https' : 'http'}://${typeof host === 'string' ? host : 'localhost'}`;
  if (!URL.canParse(base)) return null;
  const { origin } = new URL(base);
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  // The path is not parsed relative to the origin: `//other.example` would be another origin.
  const url = `${origin}${path}`;
  if (!URL.canParse(url)) return null;
  if (UNKNOWN_METHODS.has(method)) return null;
  const headers = webHeaders(rawHeaders);
  if (body === null || method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  return new Request(url, { method, headers, body, duplex: 'half' });
}

/** Keeps repeated fields. Leaves out the pseudo header fields of HTTP/2. */
function webHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!name.startsWith(':')) headers.append(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/**
 * Writes a form as text again after a body parser has parsed it. Null if the value is not a form. Ignores nested
 * values: the console's forms have no such fields.
 */
export function formText(parsed: unknown): string | null {
  if (typeof parsed === 'string') return parsed;
  if (ArrayBuffer.isView(parsed))
    return Buffer.from(parsed.buffer, parsed.byteOffset, parsed.byteLength).toString('utf8');
  if (typeof parsed !== 'object' || parsed === null) return null;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(parsed)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'string') params.append(name, one);
    }
  }
  return params.toString();
}
