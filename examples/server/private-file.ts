import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The file mode that lets only the owner read and write. */
const OWNER_ONLY = 0o600;

/** Reads a file; null if it does not exist. */
export function readFileIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Creates a file that only its owner can read. If the file already exists, leaves it unchanged and returns
 * false.
 *
 * Even on a full disk, the file is never incomplete: it is either whole and flushed to the disk, or absent.
 */
export function createPrivateFile(file: string, text: string): boolean {
  // The name is random, because processes in two containers that share a folder may have the same pid.
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

/** Whether an error has this system code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
