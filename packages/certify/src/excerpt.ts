import type { Reply } from './post.js';

/** Enough for an error's message, as much as the service keeps. */
const MAX_BYTES = 1_024;
/** The status has decided by then; a body that drips is not waited for. */
const WITHIN_MS = 1_000;
/** What is shown of it. */
const MAX_SHOWN = 160;

/** Controls, and the marks that turn the direction of text around: they lie to whoever reads a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** A part of a secret that is shorter tells nothing. */
const TELLING_LENGTH = 8;

/** The start of an answer's body, safe to show. Empty if it cannot be read: the status has decided already. */
export async function readExcerpt(response: Reply, secrets: readonly string[]): Promise<string> {
  const bytes = await readStart(response).catch(() => new Uint8Array());
  return safeText(new TextDecoder().decode(bytes), secrets);
}

/**
 * A stranger's text as one short line that no terminal obeys, with the secrets blotted out, should they stand in it:
 * also without their prefix, and where the text was cut in the midst of one.
 */
export function safeText(text: string, secrets: readonly string[]): string {
  const bare = secrets.map((secret) => secret.replace(/^whsec_/, '')).filter((secret) => secret !== '');
  const blotted = [...secrets, ...bare].reduce(blot, text.replace(HARMFUL, ' ').trim());
  return blotted.length > MAX_SHOWN ? `${blotted.slice(0, MAX_SHOWN)}…` : blotted;
}

function blot(text: string, secret: string): string {
  const whole = text.replaceAll(secret, '(secret)');
  for (let length = secret.length - 1; length >= TELLING_LENGTH; length -= 1) {
    if (whole.endsWith(secret.slice(0, length))) return `${whole.slice(0, -length)}(secret)`;
  }
  return whole;
}

async function readStart(response: Reply): Promise<Uint8Array> {
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
