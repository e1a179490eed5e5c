import type { Fields } from './screen.js';

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Enough for the ids of 1,000 chosen events. */
export const MAX_FORM_BYTES = 256 * 1024;

/** A form, or the status of its refusal. */
export type FormResult = { readonly params: URLSearchParams } | { readonly status: 400 | 408 | 413 | 415 };

/** A body that cannot be read. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused';
  constructor(readonly status: 400 | 408 | 413) {
    super(`The body was refused with ${status}.`);
  }
}

/** Reads the form of a POST, at most 256 KiB of it. */
export async function readForm(request: Request): Promise<FormResult> {
  if (!FORM.test(request.headers.get('content-type') ?? '')) return { status: 415 };
  if (request.bodyUsed) return { status: 400 };
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength;
      if (length > MAX_FORM_BYTES) return { status: 413 };
      chunks.push(chunk);
    }
  } catch (error) {
    return { status: error instanceof BodyRefused ? error.status : 400 };
  }
  return { params: new URLSearchParams(Buffer.concat(chunks).toString('utf8')) };
}

const LOCAL_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/;

/** Reads the fields of a query or a form. */
export function readFields(params: URLSearchParams): Fields {
  const text = (name: string) => {
    const value = params.get(name)?.trim() ?? '';
    return value === '' ? null : value;
  };
  return {
    text,
    all: (name) => params.getAll(name),
    instant: (name) => {
      const value = text(name);
      if (value === null || !LOCAL_INSTANT.test(value)) return null;
      const at = Date.parse(value.includes('T') ? `${value}Z` : value);
      return Number.isNaN(at) ? null : at;
    },
    entries: () => [...params].filter(([, value]) => value !== ''),
  };
}

/** Writes an address with a query. Omits parameters that are null. */
export function addressOf(path: string, query: Readonly<Record<string, string | null>> = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== null) params.set(name, value);
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}
