/** One reply on the wire. */
export interface RawReply {
  readonly status: number;
  /** By lowercase name; null without one. */
  header(name: string): string | null;
  readonly body: string;
  /** Of head and body, in bytes. */
  readonly length: number;
}

const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Returns the first reply in a latin1 text; null until it is complete. */
export function readReply(text: string): RawReply | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = text.slice(0, headEnd);
  const announced = CONTENT_LENGTH.exec(head)?.[1];
  if (announced === undefined) throw new Error(`A reply has no Content-Length: ${head}`);
  const length = headEnd + 4 + Number(announced);
  if (text.length < length) return null;
  return {
    status: Number(head.slice(9, 12)),
    header: (name) => new RegExp(`\r\n${name}: *([^\r]*)`, 'i').exec(head)?.[1] ?? null,
    body: text.slice(headEnd + 4, length),
    length,
  };
}
