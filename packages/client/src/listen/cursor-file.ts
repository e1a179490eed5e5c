import { createHash, randomUUID } from 'node:crypto';
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
  /** @throws ListenError if the file is damaged, or is from another service or another key. */
  read(): Promise<Position>;
  /** Resolves when the position is on the disk. @throws ListenError, also if another process has written meanwhile. */
  write(position: Position): Promise<void>;
}

/** The service and the key that a cursor file is for. */
export interface CursorOwner {
  /** The service and the kind of key, because their positions differ. */
  readonly scope: string;
  /** The file has only a hash of it. */
  readonly apiKey: string;
  /** Whether the key has a new secret, so that the file may have the hash of another one. */
  readonly isRotated?: boolean | undefined;
}

const START: Position = { updatedThrough: null, forwarded: null };
/** Enough to tell keys apart. Nobody can find the key by its hash, because a key has 256 random bits. */
const HASH_DIGITS = 16;

export function createCursorFile(path: string, { scope, apiKey, isRotated }: CursorOwner): CursorFile {
  const aside = `${path}.tmp`;
  const advice = `Delete it to start without a cursor, or name another file with --cursor.`;
  const keyHash = createHash('sha256').update(apiKey).digest('hex').slice(0, HASH_DIGITS);
  const writer = randomUUID();
  let hasWritten = false;

  const readText = () => absent(readFile(path, 'utf8')).catch(failed(`${path} cannot be read`));

  /** Processes on two machines or in two containers may share a file, and no lock reaches both. The later one goes on. */
  async function refuseOtherWriter(): Promise<void> {
    const kept = parseJson((await readText()) ?? '');
    if (!isRecord(kept) || kept.writer === writer) return;
    throw new ListenError(
      `Another process writes ${path} too. Name another file with --cursor for one of them.`,
    );
  }

  return {
    path,
    read: async () => {
      const text = await readText();
      if (text === null) return START;
      const kept = parseJson(text);
      if (!isRecord(kept) || !isPart(kept.updatedThrough) || !isPart(kept.forwarded)) {
        throw new ListenError(`${path} is not a cursor file of this command. ${advice}`);
      }
      if (kept.scope !== scope) {
        throw new ListenError(`${path} is for another service or another kind of key. ${advice}`);
      }
      // Files of earlier versions have no hash.
      if ((kept.keyHash ?? keyHash) !== keyHash && isRotated !== true) {
        throw new ListenError(
          `${path} is for another key. If it is the same key with a new secret, add --rotated, which keeps the position. ` +
            'Otherwise, name another file with --cursor.',
        );
      }
      return { updatedThrough: kept.updatedThrough, forwarded: kept.forwarded };
    },
    write: async ({ updatedThrough, forwarded }) => {
      if (hasWritten) await refuseOtherWriter();
      const text = JSON.stringify({ scope, keyHash, writer, updatedThrough, forwarded });
      await replace(path, aside, `${text}\n`).catch(failed(`${path} cannot be written`));
      hasWritten = true;
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
