import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '../../errors.js';

/**
 * Throws if this process cannot write the folder of the résumés, or create it. Creates nothing.
 * @param root - an absolute path.
 */
export function assertWritable(root: string, access: (path: string) => void = mayWrite): void {
  const present = nearestPresent(root);
  if (present.isFolder) {
    try {
      access(present.path);
      return;
    } catch (error) {
      throw refusal(root, `this process may not write ${present.path} (${codeOf(error)})`, error);
    }
  }
  throw refusal(root, `${present.path} is not a folder`);
}

function mayWrite(path: string): void {
  accessSync(path, constants.W_OK | constants.X_OK);
}

/** Returns the folder, or the nearest one above it that exists. */
function nearestPresent(path: string): { readonly path: string; readonly isFolder: boolean } {
  try {
    return { path, isFolder: statSync(path).isDirectory() };
  } catch {
    return nearestPresent(dirname(path));
  }
}

function refusal(root: string, problem: string, cause?: unknown): OperatorError {
  return new OperatorError(
    'MISCONFIGURED',
    `Résumés cannot be stored in ${root}: ${problem}. Functions and many containers have a read-only file system. ` +
      "Pass a `resumeSink` that stores them elsewhere, such as in S3, or `createResumeFolder('/a/writable/volume')`.",
    { cause },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
