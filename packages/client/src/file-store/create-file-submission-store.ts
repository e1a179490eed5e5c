import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseJson } from '../answer.js';
import { isRecord } from '../is-record.js';
import type {
  PendingSubmission,
  SubmissionRecord,
  SubmissionStore,
  UnreadableSubmission,
} from '../submission-store.js';
import { type DurableFiles, openDurableFiles } from './durable-files.js';

/** How a file store behaves. */
export interface FileStoreOptions {
  /**
   * How long a settled submission is remembered, so that submitting it again needs no request; 30 days unless
   * given. After that, `sourceApplicationId` still prevents a second application.
   */
  readonly rememberMs?: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_REMEMBER_MS = 30 * DAY_MS;
const STATES: ReadonlySet<unknown> = new Set<SubmissionRecord['state']>(['pending', 'submitted']);

/**
 * Submissions as files in a folder of their own, one each, readable by the owner alone: what survives a
 * restart, a kill, and a loss of power. A pending one holds the candidate's personal data, a settled one does
 * not. The folder must be on a local disk that has hard links. For one process at a time; several share a store
 * over their database.
 */
export async function createFileSubmissionStore(
  folder: string,
  options: FileStoreOptions = {},
): Promise<SubmissionStore> {
  const { rememberMs = DEFAULT_REMEMBER_MS } = options;
  await openDurableFiles(folder);
  const pending = await openDurableFiles(join(folder, 'pending'));
  const settled = await openDurableFiles(join(folder, 'settled'));
  await settled.removeOlderThan(Date.now() - rememberMs);

  /** A crash can leave both files of a submission: settled is what it is then. */
  async function read(name: string): Promise<SubmissionRecord | null> {
    return (await readIn(settled, name)) ?? readIn(pending, name);
  }

  const find = (id: string) => read(nameOf(id));

  /** For lists: one file that cannot be read says nothing of the others. */
  async function readOrTell(name: string): Promise<SubmissionRecord | UnreadableSubmission | null> {
    try {
      return await read(name);
    } catch (error) {
      return { state: 'unreadable', where: pending.pathOf(name), error };
    }
  }

  async function isPending({ id, idempotencyKey }: SubmissionRecord): Promise<boolean> {
    const found = await find(id);
    return found?.state === 'pending' && found.idempotencyKey === idempotencyKey;
  }

  return {
    find,
    add: async (record) => {
      const found = await find(record.id);
      if (found !== null) return found;
      if (await pending.create(nameOf(record.id), JSON.stringify(record))) return record;
      const other = await find(record.id);
      if (other !== null) return other;
      throw new Error(
        'The record was removed while it was added: let one process at a time use this folder.',
      );
    },
    settle: async (record) => {
      if (!(await isPending(record))) return;
      await settled.replace(nameOf(record.id), JSON.stringify(record));
      await pending.remove(nameOf(record.id));
    },
    remove: async (record) => {
      if (await isPending(record)) await pending.remove(nameOf(record.id));
    },
    listPending: async (scope) => {
      const found: (PendingSubmission | UnreadableSubmission)[] = [];
      for (const name of await pending.list()) {
        const record = await readOrTell(name);
        if (record?.state === 'pending' && record.scope === scope) found.push(record);
        if (record?.state === 'unreadable') found.push(record);
        if (record?.state === 'submitted') await pending.remove(name);
      }
      return found;
    },
  };
}

/** An identifier may hold anything, and be longer than a file's name. */
function nameOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

/** @throws Error that names the file if it is damaged: it is a submission all the same. */
async function readIn(files: DurableFiles, name: string): Promise<SubmissionRecord | null> {
  const text = await files.read(name);
  if (text === null) return null;
  const record = parseJson(text);
  if (isRecord(record) && STATES.has(record.state)) return record as unknown as SubmissionRecord;
  throw new Error(
    `${files.pathOf(name)} holds no submission that this version can read. Restore it, or move it away: ` +
      'its sourceApplicationId still keeps the candidate from being doubled.',
  );
}
