/** How much of an answer is kept for the operator: enough for an error's message. */
export const MAX_EXCERPT_BYTES = 1_024;

/** Controls, and the marks that turn the direction of text around: they lie to whoever reads a terminal. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/gu;
/** What the decoder puts for bytes that are no UTF-8. */
const UNDECODABLE = /\ufffd/g;

/**
 * The start of an answer as text that is safe to store and to show: any database takes it, no terminal
 * obeys it. Never more than a kilobyte of UTF-8. Line breaks and tabs become spaces.
 */
export function toExcerpt(body: Uint8Array): string {
  if (body.length === 0) return '';
  const start = body.subarray(0, MAX_EXCERPT_BYTES);
  const text = new TextDecoder().decode(start, { stream: true });
  return text.replace(UNDECODABLE, '?').replace(HARMFUL, ' ').trim();
}
