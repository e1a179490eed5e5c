import type { SourceJob } from '@partner-hiring/core';
import { CommandError } from '../../../command/command-error.js';
import { encodingOf } from '../encoding.js';
import { type Line, splitLines } from './lines.js';

/**
 * Far more than a job with a long form needs. The library holds some hundred rows in memory at a time, so a longer line
 * is refused.
 */
export const MAX_LINE_BYTES = 256 * 1024;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** An array is in memory as a whole. */
const MAX_ARRAY_BYTES = 256 * 1024 * 1024;

/**
 * Reads one job per line, or a JSON array of jobs, in UTF-8 or UTF-16. A line that is not the JSON of a job with an id becomes
 * an `Error` with the line's number, which the library refuses. Empty lines are ignored.
 * @throws CommandError if the input ends in the middle of a line, because its writer has probably died.
 */
export async function* readJobRows(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceJob | Error, void> {
  const bytes = await lookAhead(chunks, ({ length }) => length >= 4);
  const text = await lookAhead(toUtf8(bytes), (head) => head.toString().trim() !== '');
  if (text.head.toString().trim().startsWith('[')) {
    for (const [index, job] of (await readArray(text.all)).entries()) yield jobOf(job, `Item ${index + 1}`);
    return;
  }
  for await (const line of splitLines(text.all, MAX_LINE_BYTES)) {
    const row = readRow(line);
    if (row !== null) yield row;
  }
}

interface Input {
  /** The first bytes. */
  readonly head: Buffer;
  readonly all: AsyncIterable<Uint8Array>;
}

/** Reads chunks until the first ones are enough to decide by. */
async function lookAhead(
  chunks: AsyncIterable<Uint8Array>,
  isEnough: (head: Buffer) => boolean,
): Promise<Input> {
  const rest = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    head = Buffer.concat([head, next.value]);
    if (isEnough(head)) break;
  }
  async function* all() {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { head, all: all() };
}

/** Leaves UTF-8 as it is: lines that are not valid are refused one by one. */
async function* toUtf8({ head, all }: Input): AsyncGenerator<Uint8Array, void> {
  const encoding = encodingOf(head);
  if (encoding === 'utf-8') return yield* all;
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of all) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    throw error instanceof TypeError ? unfinished('is not valid UTF-16') : error;
  }
}

async function readArray(chunks: AsyncIterable<Uint8Array>): Promise<readonly unknown[]> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > MAX_ARRAY_BYTES) throw unfinished('is an array of over 256 MiB: write one job per line');
    parts.push(chunk);
  }
  try {
    return JSON.parse(UTF_8.decode(Buffer.concat(parts)));
  } catch {
    throw unfinished('begins an array, but is not JSON in UTF-8 to its end');
  }
}

function unfinished(problem: string): CommandError {
  return new CommandError(`The input ${problem}, so no missing job was closed.`);
}

function readRow(line: Line): SourceJob | Error | null {
  const text = textOf(line);
  if (text instanceof Error) return text;
  if (text.trim() === '') return null;
  const value = parsed(text, line);
  return value instanceof Error ? value : jobOf(value, `Line ${line.number}`);
}

function textOf(line: Line): string | Error {
  if (line.bytes === null) return unreadable(line, `is longer than ${MAX_LINE_BYTES / 1024} KiB`);
  try {
    return UTF_8.decode(line.bytes);
  } catch {
    return unreadable(line, 'is not UTF-8, but perhaps Windows-1252: write UTF-8 or UTF-16');
  }
}

function parsed(text: string, line: Line): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return unreadable(line, 'is not JSON');
  }
}

/** The message does not repeat the line, which may be a secret. */
function unreadable({ number, isEnded }: Line, problem: string): Error {
  if (isEnded) return new Error(`Line ${number} ${problem}.`);
  throw new CommandError(
    `The input ends in the middle of line ${number}, so no missing job was closed. Run the command again with the whole input.`,
  );
}

function jobOf(value: unknown, name: string): SourceJob | Error {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Error(`${name} is not a JSON object: write one job per line, or one array.`);
  }
  if ('id' in value && typeof value.id === 'string') return value as SourceJob;
  return new Error(`${name} has no id: "id" must be text such as "job_4711".`);
}
