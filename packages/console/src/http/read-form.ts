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
