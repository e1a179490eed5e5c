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

/** Long enough for the largest form over a slow line. */
export const FORM_TIMEOUT_MS = 10_000;

/** Reads the form of a POST, at most 256 KiB of it, for at most ten seconds. */
export async function readForm(request: Request): Promise<FormResult> {
  if (!FORM.test(request.headers.get('content-type') ?? '')) return { status: 415 };
  if (request.bodyUsed) return { status: 400 };
  const reader = request.body?.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<FormResult>((resolve) => {
    timer = setTimeout(() => resolve({ status: 408 }), FORM_TIMEOUT_MS);
  });
  try {
    const result = await Promise.race([collect(reader), late]);
    // The rest of a refused form is not read.
    if ('status' in result) void reader?.cancel().catch(() => {});
    return result;
  } finally {
    clearTimeout(timer);
  }
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<FormResult> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      length += next.value.byteLength;
      if (length > MAX_FORM_BYTES) return { status: 413 };
      chunks.push(next.value);
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
