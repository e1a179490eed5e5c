import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Readable by its owner only. */
const OWNER_ONLY = 0o600;

/** The text of a file, or null if there is none. */
export function readFileIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Writes a file that only its owner may read. False if it was there already: it is then left as it is.
 *
 * It is there with all of its text, on the disk, or not at all: on a full disk an empty one would be left behind.
 */
export function createPrivateFile(file: string, text: string): boolean {
  // Nobody else's: in two containers that share a folder two processes may have the same number.
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text, { mode: OWNER_ONLY, flush: true });
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Whether an error is a system error with this code, e.g. `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
