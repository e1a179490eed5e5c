import { randomUUID } from 'node:crypto';
import { fsync } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../json.js';

const UNFINISHED = '.tmp';
/** Other files in the folder are ignored. */
const FINISHED = '.json';
const OWNER_ONLY = { folder: 0o700, file: 0o600 };
/** A write takes milliseconds, so an older unfinished file is from a crash. */
const ABANDONED_AFTER_MS = 60 * 60 * 1_000;

/**
 * Reads and writes files that are complete or absent, even after a power failure. When a method resolves, its change
 * is on the disk.
 */
export interface DurableFiles {
  /** Creates the file, atomically across processes. Returns false if the file already exists. */
  create(name: string, text: string): Promise<boolean>;
  replace(name: string, text: string): Promise<void>;
  read(name: string): Promise<string | null>;
  pathOf(name: string): string;
  remove(name: string): Promise<void>;
  list(): Promise<readonly string[]>;
  /** `instant`: milliseconds since 1970. */
  removeOlderThan(instant: number): Promise<void>;
}

export async function openDurableFiles(folder: string): Promise<DurableFiles> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
  await syncFolder(dirname(folder));
  const pathOf = (name: string) => join(folder, `${name}${FINISHED}`);
  await removeOld(Date.now() - ABANDONED_AFTER_MS, UNFINISHED);

  /**
   * Writes a temporary file and passes its path to `use`. Removes the file also after an error. Otherwise each
   * retry would leave another file on a full disk.
   */
  async function writeAside<T>(text: string, use: (aside: string) => Promise<T>): Promise<T> {
    const aside = join(folder, `${randomUUID()}${UNFINISHED}`);
    try {
      await writeDurably(aside, text);
      return await use(aside);
    } finally {
      await rm(aside, { force: true });
    }
  }

  async function removeOld(instant: number, ending: string): Promise<void> {
    for (const file of await listFiles(ending)) {
      const found = await absent(stat(join(folder, file)));
      if (found !== null && found.mtimeMs < instant) await rm(join(folder, file), { force: true });
    }
  }

  async function listFiles(ending: string): Promise<readonly string[]> {
    return (await readdir(folder)).filter((file) => file.endsWith(ending));
  }

  return {
    create: async (name, text) => {
      try {
        await writeAside(text, (aside) => link(aside, pathOf(name)));
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
      await syncFolder(folder);
      return true;
    },
    replace: async (name, text) => {
      await writeAside(text, (aside) => rename(aside, pathOf(name)));
      await syncFolder(folder);
    },
    read: (name) => absent(readFile(pathOf(name), 'utf8')),
    pathOf,
    remove: async (name) => {
      await rm(pathOf(name), { force: true });
      await syncFolder(folder);
    },
    list: async () => (await listFiles(FINISHED)).map((file) => file.slice(0, -FINISHED.length)),
    removeOlderThan: (instant) => removeOld(instant, FINISHED),
  };
}

/** Creates a file that only its owner may read, and flushes it. Rejects if the path exists. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY.file);
  try {
    await file.writeFile(text);
    await flush(file);
  } finally {
    await file.close();
  }
}

/** Flushes a folder, so that a new file name is durable. Windows neither supports nor needs this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await flush(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Flushes a file to the disk with `fsync`, because file handles under Yarn's Plug'n'Play have no `sync`. Under
 * Node's permission model, which forbids `fsync`, calls `sync`.
 */
function flush(handle: FileHandle): Promise<void> {
  return process.permission === undefined ? promisify(fsync)(handle.fd) : handle.sync();
}

/** Resolves with null if the file does not exist. */
export async function absent<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
