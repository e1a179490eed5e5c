import { randomUUID } from 'node:crypto';
import { fsync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isIdOf } from '../../domain/ids.js';
import { OperatorError } from '../../errors.js';
import type { ResumeFile, ResumeSink } from '../../ports/resumes.js';
import { RESUME_TYPES } from './resume-type.js';

/** Personal data: only for the user of this process. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const TYPES = Object.values(RESUME_TYPES);

/**
 * Returns a sink that stores résumés in a folder, named by application. Writes are atomic and durable.
 * @example
 * const resumeSink = createResumeFolder('/var/lib/hiring/resumes');
 */
export function createResumeFolder(folder: string): ResumeSink {
  const root = resolve(folder);
  return {
    store: async (file) => {
      const name = fileNameOf(file);
      await mkdir(root, { recursive: true, mode: FOLDER_MODE });
      await writeWhole(root, name, file.bytes);
      await removeOtherTypes(root, file.applicationId, name);
      return { location: join(root, name) };
    },
  };
}

function fileNameOf({ applicationId, mediaType }: ResumeFile): string {
  if (!isIdOf('application', applicationId)) {
    throw new OperatorError('INVALID_INPUT', '`applicationId` must be the id of an application.');
  }
  const type = TYPES.find((known) => known.mediaType === mediaType);
  return `${applicationId}${type?.extension ?? '.bin'}`;
}

async function writeWhole(root: string, name: string, bytes: Uint8Array): Promise<void> {
  const draft = join(root, `.${randomUUID()}.part`);
  try {
    await writeDurably(draft, bytes);
    await rename(draft, join(root, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(root);
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', FILE_MODE);
  try {
    await handle.writeFile(bytes);
    await flush(handle);
  } finally {
    await handle.close();
  }
}

/** A new file survives a power failure only after this. Windows does not allow it. */
async function syncFolder(root: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(root, 'r');
  try {
    await flush(handle);
  } finally {
    await handle.close();
  }
}

/** File handles of Yarn's Plug'n'Play have no `sync`, and Node's permission model forbids `fsync`. */
function flush(handle: FileHandle): Promise<void> {
  return process.permission === undefined ? promisify(fsync)(handle.fd) : handle.sync();
}

async function removeOtherTypes(root: string, applicationId: string, name: string): Promise<void> {
  const others = ['.bin', ...TYPES.map(({ extension }) => extension)]
    .map((extension) => `${applicationId}${extension}`)
    .filter((other) => other !== name);
  await Promise.all(others.map((other) => rm(join(root, other), { force: true })));
}
