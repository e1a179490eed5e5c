import { buffer } from 'node:stream/consumers';
import type { SourceJob } from '@partner-hiring/core';
import { isError } from '@partner-hiring/core/contract';
import { CommandError } from '../../command/command-error.js';
import { encodingOf } from '../../groups/jobs/import-jobs.js';
import { type Line, splitLines } from './lines.js';

/**
 * Far more than a job with a long form needs. The library holds some hundred rows in memory at a time, so a longer line
 * is refused.
 */
export const MAX_LINE_BYTES = 256 * 1024;

/** Enough to tell the encoding. */
const HEAD_BYTES = 4;

/**
 * Reads one job per line, or a JSON array of jobs, in UTF-8 or UTF-16. A line that is not the JSON of a job with an id becomes
 * an `Error` with the line's number, which the library refuses. Empty lines are ignored.
 * @throws CommandError if the input ends in the middle of a line, because its writer has probably died.
 */
export async function* readJobRows(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceJob | Error, void> {
  const { head, all } = await lookAhead(chunks);
  const encoding = encodingOf(head);
  const isLines = encoding === 'utf-8' && !head.toString().trim().startsWith('[');
  const whole = isLines ? null : await readWhole(all, encoding);
  if (typeof whole === 'object' && whole !== null) {
    for (const [index, job] of whole.entries()) yield jobOf(job, `Item ${index + 1}`);
    return;
  }
  for await (const line of splitLines(whole === null ? all : [Buffer.from(whole)], MAX_LINE_BYTES)) {
    const row = readRow(line);
    if (row !== null) yield row;
  }
}

/** Reads chunks until one has more than blanks. Returns their bytes, and all chunks. */
async function lookAhead(chunks: AsyncIterable<Uint8Array>) {
  const rest = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES || head.toString().trim() === '') {
    const { value, done } = await rest.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  async function* all() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { head, all: all() };
}

/** An array, and a text in UTF-16, are in memory as a whole. Returns the items or the text. */
async function readWhole(chunks: AsyncIterable<Uint8Array>, encoding: string) {
  const bytes = await buffer(chunks);
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.trimStart().startsWith('[') ? (JSON.parse(text) as readonly unknown[]) : text;
  } catch (error) {
    const isText = isError(error) && error.name === 'SyntaxError';
    const problem = isText ? 'begins an array, but is not JSON to its end' : `is not valid ${encoding}`;
    throw new CommandError(`The input ${problem}, so no missing job was closed.`);
  }
}

function readRow(line: Line): SourceJob | Error | null {
  const text = textOf(line);
  if (isError(text)) return text;
  if (text.trim() === '') return null;
  const value = parsed(text, line);
  return isError(value) ? value : jobOf(value, `Line ${line.number}`);
}

function textOf(line: Line): string | Error {
  if (line.bytes === null) return unreadable(line, `is longer than ${MAX_LINE_BYTES / 1024} KiB`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line.bytes);
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
