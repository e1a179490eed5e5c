import { CommandError } from '../../../command/command-error.js';
import { collect, type Line } from './lines.js';

const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COMMA, QUOTE, BACKSLASH] = Buffer.from('[]{},"\\');
/** Also the bytes of a byte order mark. */
const BLANKS: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n\ufeff'));

/** Returns whether the first byte that is no blank begins an array. Null if there is no such byte. */
export function beginsArray(chunk: Uint8Array): boolean | null {
  const first = chunk.find((byte) => !BLANKS.has(byte));
  return first === undefined ? null : first === OPEN_LIST;
}

/**
 * Splits the bytes of a JSON array into its items. Keeps at most `maxBytes` of an item in memory.
 * @throws CommandError if the array does not end, or something follows it.
 */
export async function* splitItems(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line, void> {
  const item = collect('Item', maxBytes);
  const depthAfter = createScanner();
  let depth = 0;
  let isClosed = false;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const before = depth;
      depth = depthAfter(chunk[at] ?? 0);
      if (isClosed && !BLANKS.has(chunk[at] ?? 0)) throw unfinished('goes on after its JSON array');
      if (before === 0) start = at + 1;
      else if (depth === 0 || (depth === 1 && chunk[at] === COMMA)) {
        item.keep(chunk.subarray(start, at));
        yield item.take(true);
        start = at + 1;
        isClosed = depth === 0;
      }
    }
    item.keep(chunk.subarray(start));
  }
  if (!isClosed) throw unfinished('ends in the middle of its JSON array');
}

/** Counts the open brackets outside strings. */
function createScanner(): (byte: number) => number {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  return (byte) => {
    if (isEscaped) isEscaped = false;
    else if (byte === QUOTE) isText = !isText;
    else if (isText) isEscaped = byte === BACKSLASH;
    else if (byte === OPEN || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1;
    return depth;
  };
}

function unfinished(problem: string): CommandError {
  return new CommandError(
    `The input ${problem}, so no missing job was closed. Run the command again with the whole input.`,
  );
}
