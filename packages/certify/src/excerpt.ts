import type { Reply } from './post.js';
import { terminalText } from './terminal-text.js';

/** How much of a response body to read. It is enough for an error message, and as much as the service keeps. */
const MAX_BYTES = 1_024;
/** How long to read a response body. The status alone decides, so a slow body is not worth waiting for. */
const WITHIN_MS = 1_000;
const MAX_SHOWN = 160;

/** The shortest part of a secret that is redacted. A shorter part reveals too little. */
const TELLING_LENGTH = 8;

/** Returns the start of a response body as safe text; empty if reading fails. */
export async function readExcerpt(response: Reply, secrets: readonly string[]): Promise<string> {
  const bytes = await readStart(response).catch(() => new Uint8Array());
  return safeText(new TextDecoder().decode(bytes), secrets);
}

/** Shortens a text, removes control characters, and redacts secrets, also truncated or without their prefix. */
export function safeText(text: string, secrets: readonly string[]): string {
  const bare = secrets.map((secret) => secret.replace(/^whsec_/, '')).filter((secret) => secret !== '');
  const redacted = [...secrets, ...bare].reduce(redact, terminalText(text).trim());
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
