import type { Reply } from './post.js';

/** Enough for an error message; the service keeps the same amount. */
const MAX_BYTES = 1_024;
/** Does not wait for a slow body, because the status already decides. */
const WITHIN_MS = 1_000;
const MAX_SHOWN = 160;

/** Control and bidirectional characters can manipulate a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Shorter parts of a secret are not worth hiding. */
const TELLING_LENGTH = 8;

/** Returns the sanitized start of a response body; empty if it cannot be read. */
export async function readExcerpt(response: Reply, secrets: readonly string[]): Promise<string> {
  const bytes = await readStart(response).catch(() => new Uint8Array());
  return safeText(new TextDecoder().decode(bytes), secrets);
}

/** Shortens a text, removes control characters, and redacts secrets, even if cut off or without prefix. */
export function safeText(text: string, secrets: readonly string[]): string {
  const bare = secrets.map((secret) => secret.replace(/^whsec_/, '')).filter((secret) => secret !== '');
  const redacted = [...secrets, ...bare].reduce(redact, text.replace(HARMFUL, ' ').trim());
  return redacted.length > MAX_SHOWN ? `${redacted.slice(0, MAX_SHOWN)}…` : redacted;
}

function redact(text: string, secret: string): string {
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
