/** A line of an input, or an item of its JSON array. */
export interface Line {
  /** Such as `Line 1`. */
  readonly name: string;
  /** Without the line break or the comma. Null if the line is too long. */
  readonly bytes: Buffer | null;
  /** Whether a line break, a comma or the end of the array ends it. Only the last line may lack it. */
  readonly isEnded: boolean;
}

const LINE_BREAK = 0x0a;

/** Splits bytes into lines. Keeps at most `maxBytes` of a line in memory, however long the line is. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line, void> {
  const line = collect('Line', maxBytes);
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
      line.keep(chunk.subarray(start, end));
      yield line.take(true);
      start = end + 1;
    }
    line.keep(chunk.subarray(start));
  }
  if (!line.isEmpty()) yield line.take(false);
}

/** Collects the bytes of one line after the other. */
export function collect(kind: 'Line' | 'Item', maxBytes: number) {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  return {
    isEmpty: () => length === 0,
    keep(part: Uint8Array): void {
      length += part.length;
      if (length > maxBytes) parts = [];
      else if (part.length > 0) parts.push(part);
    },
    take(isEnded: boolean): Line {
      const bytes = length > maxBytes ? null : Buffer.concat(parts);
      const line = { name: `${kind} ${number}`, bytes, isEnded };
      number += 1;
      parts = [];
      length = 0;
      return line;
    },
  };
}
