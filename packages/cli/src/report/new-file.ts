import { type FileHandle, open } from 'node:fs/promises';
import { isError } from '@partner-hiring/core/contract';
import { UsageError } from '../command/command-error.js';

/**
 * Creates a file that only this user can read. Never overwrites another one.
 * @param consequence - what has not happened, if it fails.
 * @throws UsageError
 */
export async function openNewFile(path: string, consequence: string, option = 'FILE'): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const code = isError(error) && 'code' in error ? String(error.code) : 'unknown error';
    const why = code === 'EEXIST' ? 'it exists' : code;
    throw new UsageError(`${option} must name a new file that can be written (${why}). ${consequence}`);
  }
}
