import { isError } from '@partner-hiring/core/contract';

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  ENAMETOOLONG: 'its name is too long',
};

/** Returns why a file cannot be read. Leaves out the path, because somebody may have passed a secret instead. */
export function fileProblem(error: unknown): string {
  const code = isError(error) && 'code' in error ? String(error.code) : '';
  return PROBLEMS[code] ?? `the system reports ${code || 'an error'}`;
}

/** Thrown if the database cannot be used as the command line says. The message is one line and contains the fix. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
