import { readFileSync } from 'node:fs';
import type { NewJob } from '@partner-hiring/core';
import { isError } from '@partner-hiring/core/contract';
import type { OperatorCommand } from '../../command/command.js';
import { CommandError, UsageError } from '../../command/command-error.js';
import { fileProblem } from '../../connection/connection-error.js';
import { sentence } from '../../report/report.js';

/** The command `jobs import`. The library checks each job. */
export const importJobs: OperatorCommand = {
  library: 'jobs.publishInSteps',
  summary: 'Publishes the jobs of a JSON file, 100 at a time, as an operation of the worker',
  arguments: ['file'],
  run: async (operator, input) => {
    const operation = await operator.jobs.publishInSteps(readList<NewJob>(input.argument('file'), 'jobs'));
    return sentence(`Publishing ${operation.counts.total} jobs: operations show ${operation.id}`, operation);
  },
};

/** Reads a JSON file with an array. The library checks its items. @throws UsageError */
export function readList<Item>(file: string, items: string): readonly Item[] {
  let found: unknown;
  try {
    const bytes = readFileSync(file);
    found = JSON.parse(new TextDecoder(encodingOf(bytes)).decode(bytes));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    // The message of the parser has a part of the file, which may be a secret.
    const reason =
      isError(error) && error.name === 'SyntaxError' ? 'its content is not JSON' : fileProblem(error);
    throw new UsageError(`<file> must be the path of a JSON file: ${reason}.`);
  }
  if (!Array.isArray(found)) throw new UsageError(`<file> must contain a JSON array of ${items}.`);
  return found as readonly Item[];
}

/**
 * Returns the encoding of a text, by its byte order mark or by the zeros around the first character of JSON. PowerShell
 * writes UTF-16. @throws CommandError that names an encoding that cannot be read.
 */
export function encodingOf([first, second, third, fourth]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0 && second === 0) || (third === 0 && fourth === 0)) {
    throw new CommandError(
      'The jobs are encoded in UTF-32. Write them in UTF-8 or UTF-16. Nothing was changed.',
    );
  }
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8';
}
