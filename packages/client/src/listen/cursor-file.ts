import { readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { absent, syncFolder, writeDurably } from '../file-store/durable-files.js';
import { codeOf, isRecord, parseJson } from '../json.js';
import { ListenError } from './listen-error.js';

/** A position in the log. */
export interface Position {
  /** Every event up to this instant was forwarded; null before the first page. */
  readonly updatedThrough: string | null;
  /** The last event after that instant that was forwarded, or null. */
  readonly forwarded: string | null;
}

/** A file with the position. It is complete or absent, even after a power failure. */
export interface CursorFile {
  readonly path: string;
  /** @throws ListenError if the file is damaged, or is from another service or kind of key. */
  read(): Promise<Position>;
  /** Resolves when the position is on the disk. @throws ListenError */
  write(position: Position): Promise<void>;
}

const START: Position = { updatedThrough: null, forwarded: null };

/** @param scope - the service and the kind of key, because their positions differ. */
export function createCursorFile(path: string, scope: string): CursorFile {
  const aside = `${path}.tmp`;
  const advice = `Delete it to start without a cursor, or name another file with --cursor.`;
  return {
    path,
    read: async () => {
      const text = await absent(readFile(path, 'utf8')).catch(failed(`${path} cannot be read`));
      if (text === null) return START;
      const kept = parseJson(text);
      if (!isRecord(kept) || !isPart(kept.updatedThrough) || !isPart(kept.forwarded)) {
        throw new ListenError(`${path} is not a cursor file of this command. ${advice}`);
      }
      if (kept.scope !== scope) {
        throw new ListenError(`${path} is for another service or another kind of key. ${advice}`);
      }
      return { updatedThrough: kept.updatedThrough, forwarded: kept.forwarded };
    },
    write: async ({ updatedThrough, forwarded }) => {
      const text = JSON.stringify({ scope, updatedThrough, forwarded });
      await replace(path, aside, `${text}\n`).catch(failed(`${path} cannot be written`));
    },
  };
}

async function replace(path: string, aside: string, text: string): Promise<void> {
  // A process that was killed may have left it.
  await rm(aside, { force: true });
  await writeDurably(aside, text);
  await rename(aside, path);
  await syncFolder(dirname(path));
}

function isPart(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function failed(what: string): (error: unknown) => never {
  return (error) => {
    const why = codeOf(error) ?? String(error);
    throw new ListenError(`${what} (${why}). Name a file that you may write with --cursor.`);
  };
}
