import type { RawBody, WebhookHeaders } from '@partner-hiring/webhook-verifier';
import type { Vector, VectorBody } from '../vectors/format.js';

type Pairs = Vector['headers'];

/** The forms in which servers hand over headers. What is sent twice is a list in some, joined in others. */
export const HEADER_FORMS: Readonly<Record<string, (pairs: Pairs) => WebhookHeaders>> = {
  'a plain object': (pairs) => grouped(pairs),
  'a plain object among others': (pairs) => ({ ...grouped(pairs), host: 'ats.example', cookie: undefined }),
  Headers: (pairs) => {
    const headers = new Headers({ host: 'ats.example' });
    for (const [name, value] of pairs) headers.append(name, value);
    return headers;
  },
};

/** As Node's `headersDistinct`: a text, or a list of what was sent more than once. */
function grouped(pairs: Pairs): Record<string, string | string[] | undefined> {
  const values: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const before = values[name];
    values[name] = before === undefined ? value : [before, value].flat();
  }
  return values;
}

/** The forms in which servers hand over a body. What is no raw body has one form, itself. */
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
