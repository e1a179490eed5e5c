import { fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { CommandError, UsageError } from '../../command/command-error.js';
import { fileProblem } from '../../connection/connection-error.js';

/** Opens a file, or the standard input for `-` or no file. @throws UsageError if it cannot be read. */
export async function openInput(file = '-'): Promise<Readable> {
  if (file !== '-') return openFile(file);
  if (process.stdin.isTTY === true) {
    throw new UsageError('Pass --file FILE, or pipe the jobs into this command: one per line, or an array.');
  }
  if (isStdinFolder()) throw new UsageError('The standard input is a folder. Pass a file of jobs.');
  return process.stdin;
}

/** Node reads a folder as an empty input. */
function isStdinFolder(): boolean {
  try {
    return fstatSync(0).isDirectory();
  } catch {
    return false;
  }
}

async function openFile(file: string): Promise<Readable> {
  try {
    const handle = await open(file);
    // Only the first read of a folder would fail.
    if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
    await handle.close();
  } catch (error) {
    throw notAFile(fileProblem(error));
  }
  throw notAFile('it is a folder');
}

function notAFile(reason: string): UsageError {
  return new UsageError(`--file must be the path of a file of jobs: ${reason}.`);
}

/** Reads the bytes of an input. @throws CommandError if the system cannot read it to its end. */
export async function* bytesOf(input: Readable): AsyncGenerator<Uint8Array, void> {
  try {
    yield* input;
  } catch (error) {
    throw new CommandError(
      `The input could not be read to its end: ${fileProblem(error)}. No missing job was closed.`,
      { cause: error },
    );
  }
}
