import type { SourceJob } from '@partner-hiring/core';
import { CommandError } from '../../../command/command-error.js';
import { beginsArray, splitItems } from './items.js';
import { type Line, splitLines } from './lines.js';
import { toUtf8 } from './to-utf-8.js';

/**
 * Far more than a job with a long form needs. The library holds some hundred rows in memory at a time, so a longer line
 * is refused.
 */
export const MAX_LINE_BYTES = 256 * 1024;

/**
 * Reads one job per line, or the jobs of a JSON array, in UTF-8 or UTF-16. A line that is not the JSON of a job with an id
 * becomes an `Error` with the line's number, which the library refuses. Empty lines are ignored.
 * @throws CommandError if the input ends in the middle of a line, because its writer has probably died.
 */
export async function* readJobRows(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceJob | Error, void> {
  for await (const line of splitJobs(toUtf8(chunks))) {
    const row = readRow(line);
    if (row !== null) yield row;
  }
}

async function* splitJobs(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Line, void> {
  const first: Uint8Array[] = [];
  let isArray: boolean | null = null;
  while (isArray === null) {
    const { value } = await chunks.next();
    if (value === undefined) break;
    first.push(value);
    isArray = beginsArray(value);
  }
  async function* all() {
    yield* first;
    yield* chunks;
  }
  yield* isArray === true ? splitItems(all(), MAX_LINE_BYTES) : splitLines(all(), MAX_LINE_BYTES);
}

function readRow(line: Line): SourceJob | Error | null {
  const text = textOf(line);
  if (text instanceof Error) return text;
  if (text.trim() === '') return null;
  const value = parsed(text, line);
  return value instanceof Error ? value : jobOf(value, line.name);
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
function unreadable({ name, isEnded }: Line, problem: string): Error {
  if (isEnded) return new Error(`${name} ${problem}.`);
  throw new CommandError(
    `The input ends in the middle of ${name.toLowerCase()}, so no missing job was closed. Run the command again with the whole input.`,
  );
}

function jobOf(value: unknown, name: string): SourceJob | Error {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Error(`${name} is not a JSON object: write one job per line, or one array.`);
  }
  if ('id' in value && typeof value.id === 'string') return value as SourceJob;
  return new Error(`${name} has no id: "id" must be text such as "job_4711".`);
}
