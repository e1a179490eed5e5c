import { randomUUID } from 'node:crypto';
import { fsync } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** What was half written when a process ended has such a name; nobody ever reads it. */
const UNFINISHED = '.tmp';
/** What is finished has such a name. Whatever else lies in the folder is somebody else's. */
const FINISHED = '.json';
/** Personal data: for the owner alone. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 };
/** A write takes milliseconds: what is older was left behind. */
const ABANDONED_AFTER_MS = 60 * 60 * 1_000;

/**
 * Files that are there whole or not at all, whenever the process or the machine stops: written aside, forced to
 * the disk, and only then given their name. Each method has reached the disk when it resolves.
 */
export interface DurableFiles {
  /** Makes the file unless there is one of this name; whether it did. One act, against other processes too. */
  create(name: string, text: string): Promise<boolean>;
  /** Makes the file, in the place of one that may be there. */
  replace(name: string, text: string): Promise<void>;
  /** The text of the file, or null. */
  read(name: string): Promise<string | null>;
  /** Where the file is, to be told of. */
  pathOf(name: string): string;
  remove(name: string): Promise<void>;
  list(): Promise<readonly string[]>;
  /** Removes files that were last written before then, in milliseconds since 1970. */
  removeOlderThan(instant: number): Promise<void>;
}

/** Files in a folder, which is made if it is not there. */
export async function openDurableFiles(folder: string): Promise<DurableFiles> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder });
  await syncFolder(dirname(folder));
  const pathOf = (name: string) => join(folder, `${name}${FINISHED}`);
  await removeOld(Date.now() - ABANDONED_AFTER_MS, UNFINISHED);

  /** Nothing stays aside: where the disk is full, each try would take some of what room comes free. */
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

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY.file);
  try {
    await file.writeFile(text);
    await flush(file);
  } finally {
    await file.close();
  }
}

/** A new name lasts only once its folder has reached the disk. Windows has no such thing and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await flush(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Forces it to the disk. Not by its own `sync`, which the handles of Yarn's Plug'n'Play lack, save under Node's
 * permission model, which forbids the other way.
 */
function flush(handle: FileHandle): Promise<void> {
  return process.permission === undefined ? promisify(fsync)(handle.fd) : handle.sync();
}

async function absent<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
