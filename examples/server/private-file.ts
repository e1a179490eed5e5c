import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Readable by its owner only. */
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
 * Writes a file that only its owner can read. Returns false if it exists, without changing it.
 *
 * The file is either complete and on the disk, or absent, even on a full disk.
 */
export function createPrivateFile(file: string, text: string): boolean {
  // Unique: processes in two containers with a shared folder may have the same pid.
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
