import type { RawBody, WebhookHeaders } from '@partner-hiring/webhook-verifier';
import type { Vector, VectorBody } from '../vectors/format.js';

type Pairs = Vector['headers'];

/** The forms of headers in servers. Repeated ones are lists in some, joined in others. */
export const HEADER_FORMS: Readonly<Record<string, (pairs: Pairs) => WebhookHeaders>> = {
  'a plain object': (pairs) => grouped(pairs),
  'a plain object among others': (pairs) => ({ ...grouped(pairs), host: 'ats.example', cookie: undefined }),
  Headers: (pairs) => {
    const headers = new Headers({ host: 'ats.example' });
    for (const [name, value] of pairs) headers.append(name, value);
    return headers;
  },
};

/** Like Node's `headersDistinct`: a string, or a list of repeated values. */
function grouped(pairs: Pairs): Record<string, string | string[] | undefined> {
  const values: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const before = values[name];
    values[name] = before === undefined ? value : [before, value].flat();
  }
  return values;
}

/** The forms of a body in servers. A parsed body has one form. */
export function bodyForms(body: VectorBody): Readonly<Record<string, RawBody>> {
  if (body === null || 'parsed' in body) return { unread: (body?.parsed ?? body) as RawBody };
  const bytes = 'text' in body ? new TextEncoder().encode(body.text) : fromBase64(body.base64);
  const [before, after] = [3, 5];
  const larger = new Uint8Array(before + bytes.length + after).fill(0x20);
  larger.set(bytes, before);
  return {
    bytes,
    'a part of a larger buffer': larger.subarray(before, before + bytes.length),
    'an ArrayBuffer': bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    ...('text' in body && { text: body.text }),
  };
}

function fromBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
