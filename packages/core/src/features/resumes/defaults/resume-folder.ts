import { accessSync, constants, existsSync, fsync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isError } from '../../../domain/any-realm.js';
import { isIdOf } from '../../../domain/ids.js';
import { misconfiguration, OperatorError } from '../../../errors.js';
import type { ResumeFile, ResumeSink } from '../../../ports/resumes.js';
import { RESUME_TYPES } from './resume-type.js';

/**
 * Throws if this process can neither write the folder of the résumés nor create it. Creates nothing.
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
  return misconfiguration(
    `Résumés cannot be stored in ${root}: ${problem}. Serverless functions and many containers have a read-only file system. ` +
      "Pass a `resumeSink` that stores them elsewhere, such as in S3, or `createResumeFolder('/a/writable/volume')`.",
    { cause },
  );
}

function codeOf(error: unknown): string {
  return isError(error) && 'code' in error ? String(error.code) : String(error);
}

/** Résumés are personal data: only the operating-system user of this process may read them. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const TYPES = Object.values(RESUME_TYPES);

/**
 * Returns a sink that stores résumés in a folder, named by application. Writes are atomic and durable.
 * @example
 * const resumeSink = createResumeFolder('/var/lib/hiring/resumes');
 * @throws OperatorError `MISCONFIGURED` if this process can neither write the folder nor create it.
 */
export function createResumeFolder(folder: string): ResumeSink {
  const root = resolve(folder);
  assertWritable(root);
  return {
    store: async (file) => {
      const name = fileNameOf(file);
      await mkdir(root, { recursive: true, mode: FOLDER_MODE });
      await writeWhole(root, file.applicationId, name, file.bytes);
      const otherTypes = namesOf(file.applicationId).filter((other) => other !== name);
      await removeFiles(root, otherTypes);
      return { location: join(root, name) };
    },
    remove: async ({ applicationId }) => {
      assertId(applicationId);
      // The folder may never have been created.
      if (!existsSync(root)) return;
      await removeFiles(root, [...namesOf(applicationId), ...draftsOf(applicationId)]);
      await syncFolder(root);
    },
  };
}

function fileNameOf({ applicationId, mediaType }: ResumeFile): string {
  assertId(applicationId);
  const type = TYPES.find((known) => known.mediaType === mediaType);
  return `${applicationId}${type?.extension ?? '.bin'}`;
}

function assertId(applicationId: string): void {
  if (isIdOf('application', applicationId)) return;
  throw new OperatorError('INVALID_INPUT', '`applicationId` must be the id of an application.');
}

async function writeWhole(
  root: string,
  applicationId: string,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const { draft, handle } = await openDraft(root, applicationId);
  try {
    await writeDurably(handle, bytes);
    await rename(draft, join(root, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(root);
}

interface Draft {
  readonly draft: string;
  readonly handle: FileHandle;
}

/** The most drafts that crashes may leave per application. `remove` finds them by name, without reading the folder. */
const MAX_DRAFTS = 8;

function draftsOf(applicationId: string): readonly string[] {
  return Array.from({ length: MAX_DRAFTS }, (_, index) => `.${applicationId}.${index}.part`);
}

/** Opens an unused draft. Only one worker at a time writes a résumé, so if all drafts exist, crashes have left them. */
async function openDraft(root: string, applicationId: string): Promise<Draft> {
  const drafts = draftsOf(applicationId);
  for (const name of drafts) {
    const opened = await openNew(join(root, name));
    if (opened !== null) return opened;
  }
  await removeFiles(root, drafts);
  const draft = join(root, `.${applicationId}.0.part`);
  return { draft, handle: await open(draft, 'wx', FILE_MODE) };
}

/** Returns null if the file exists. */
async function openNew(draft: string): Promise<Draft | null> {
  try {
    return { draft, handle: await open(draft, 'wx', FILE_MODE) };
  } catch (error) {
    if (isError(error) && Reflect.get(error, 'code') === 'EEXIST') return null;
    throw error;
  }
}

async function writeDurably(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await handle.writeFile(bytes);
    await flush(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Writes the folder's entries to the disk. Without this, a power failure could lose a new file. Windows does
 * not support it.
 */
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

function namesOf(applicationId: string): readonly string[] {
  return ['.bin', ...TYPES.map(({ extension }) => extension)].map(
    (extension) => `${applicationId}${extension}`,
  );
}

async function removeFiles(root: string, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => rm(join(root, name), { force: true })));
}
