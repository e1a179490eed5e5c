import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { PendingSubmission, SubmissionRecord, SubmissionStore } from '../submission-store.js';
import { openDurableFiles } from './durable-files.js';

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
  async function find(id: string): Promise<SubmissionRecord | null> {
    const name = nameOf(id);
    const text = (await settled.read(name)) ?? (await pending.read(name));
    return text === null ? null : read(text);
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
      const found: PendingSubmission[] = [];
      for (const name of await pending.list()) {
        const text = (await settled.read(name)) ?? (await pending.read(name));
        const record = text === null ? null : read(text);
        if (record?.state === 'pending' && record.scope === scope) found.push(record);
        if (record?.state === 'submitted') await pending.remove(name);
      }
      return found;
    },
  };
}

/** An identifier may hold anything, and be longer than a file's name. */
function nameOf(id: string): string {
  return `${createHash('sha256').update(id).digest('hex')}.json`;
}

function read(text: string): SubmissionRecord {
  return JSON.parse(text) as SubmissionRecord;
}
