import type { SourceJob } from '@partner-hiring/core';
import { CommandError } from '../../../command/command-error.js';
import { type Line, splitLines } from './lines.js';

/**
 * Far more than a job with a long form needs. The library holds some hundred rows in memory at a time, so a longer line
 * is refused.
 */
export const MAX_LINE_BYTES = 256 * 1024;

/**
 * Reads one job per line. A line that is not the JSON of a job with an id becomes an `Error` with the line's number, which
 * the library refuses. Empty lines are ignored.
 * @throws CommandError if the input ends in the middle of a line, because its writer has probably died.
 */
export async function* readJobRows(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceJob | Error, void> {
  for await (const line of splitLines(chunks, MAX_LINE_BYTES)) {
    const row = readRow(line);
    if (row !== null) yield row;
  }
}

function readRow(line: Line): SourceJob | Error | null {
  const text = textOf(line);
  if (text instanceof Error) return text;
  if (text.trim() === '') return null;
  const value = parsed(text, line);
  return value instanceof Error ? value : jobOf(value, line.number);
}

function textOf(line: Line): string | Error {
  if (line.bytes === null) return unreadable(line, `is longer than ${MAX_LINE_BYTES / 1024} KiB`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line.bytes);
  } catch {
    return unreadable(line, 'is not UTF-8');
  }
}

function parsed(text: string, line: Line): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const isArray = line.number === 1 && text.trimStart().startsWith('[');
    return unreadable(line, isArray ? 'begins an array: write one job per line' : 'is not JSON');
  }
}

/** The message does not repeat the line, which may be a secret. */
function unreadable({ number, isEnded }: Line, problem: string): Error {
  if (isEnded) return new Error(`Line ${number} ${problem}.`);
  throw new CommandError(
    `The input ends in the middle of line ${number}, so no missing job was closed. Run the command again with the whole input.`,
  );
}

function jobOf(value: unknown, number: number): SourceJob | Error {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Error(`Line ${number} is not a JSON object: write one job per line.`);
  }
  if ('id' in value && typeof value.id === 'string') return value as SourceJob;
  return new Error(`Line ${number} has no id: "id" must be text such as "job_4711".`);
}
