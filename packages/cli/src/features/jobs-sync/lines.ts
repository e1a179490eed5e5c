/** A line of an input. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without the line break. Null if the line is too long. */
  readonly bytes: Buffer | null;
  /** Whether a line break ends it. Only the last line may lack it. */
  readonly isEnded: boolean;
}

const LINE_BREAK = 0x0a;

/** Splits bytes into lines. Keeps at most `maxBytes` of a line in memory, however long the line is. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line, void> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;

  function keep(part: Uint8Array): void {
    length += part.length;
    if (length > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  }

  function take(isEnded: boolean): Line {
    const line = { number, bytes: length > maxBytes ? null : Buffer.concat(parts), isEnded };
    number += 1;
    parts = [];
    length = 0;
    return line;
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
      keep(chunk.subarray(start, end));
      yield take(true);
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take(false);
}
