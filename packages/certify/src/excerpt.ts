/** Enough for an error's message, as much as the service keeps. */
const MAX_BYTES = 1_024;
/** The status has decided by then; a body that drips is not waited for. */
const WITHIN_MS = 1_000;
/** What is shown of it. */
const MAX_SHOWN = 160;

/** Controls, and the marks that turn the direction of text around: they lie to whoever reads a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * The start of an answer's body as one line that no terminal obeys, with the secrets blotted out, should the
 * receiver send one back. Empty if the body cannot be read: the status has decided already.
 */
export async function readExcerpt(response: Response, secrets: readonly string[]): Promise<string> {
  const bytes = await readStart(response).catch(() => new Uint8Array());
  const text = new TextDecoder().decode(bytes).replace(HARMFUL, ' ').trim();
  const blotted = secrets.reduce((so, secret) => so.replaceAll(secret, '(secret)'), text);
  return blotted.length > MAX_SHOWN ? `${blotted.slice(0, MAX_SHOWN)}…` : blotted;
}

async function readStart(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), WITHIN_MS);
  try {
    while (length < MAX_BYTES) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      chunks.push(value);
      length += value.length;
    }
    await reader.cancel();
    return Buffer.concat(chunks).subarray(0, MAX_BYTES);
  } finally {
    clearTimeout(timer);
  }
}
