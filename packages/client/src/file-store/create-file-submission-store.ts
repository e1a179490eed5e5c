import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isRecord, parseJson } from '../json.js';
import type {
  PendingSubmission,
  SubmissionRecord,
  SubmissionStore,
  UnreadableSubmission,
} from '../submission-store.js';
import { type DurableFiles, openDurableFiles } from './durable-files.js';

/** Options of `createFileSubmissionStore`. */
export interface FileStoreOptions {
  /**
   * How long to keep submitted records, in ms; default 30 days. `submit` sends no request for a kept record. Afterwards, the
   * same `submit` throws `DUPLICATE_SOURCE_APPLICATION_ID` with the `applicationId`.
   */
  readonly rememberMs?: number | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_REMEMBER_MS = 30 * DAY_MS;
const STATES: ReadonlySet<unknown> = new Set<SubmissionRecord['state']>(['pending', 'submitted']);

/**
 * Opens a store with one file per submission, readable only by its owner. It survives restarts and power
 * failures. Pending files contain personal data. The folder must be on a local disk with hard links. Only one
 * process may use it at a time: for several, use your database.
 * @throws TypeError if `rememberMs` is not positive.
 * @example
 * const client = createPartnerClient({
 *   baseUrl: 'https://hiring.example.com/api/v1/external',
 *   apiKey: process.env.PARTNER_API_KEY ?? '',
 *   submissions: await createFileSubmissionStore('submissions'),
 * });
 */
export async function createFileSubmissionStore(
  folder: string,
  options: FileStoreOptions = {},
): Promise<SubmissionStore> {
  const { rememberMs = DEFAULT_REMEMBER_MS } = options;
  if (!(rememberMs > 0)) throw new TypeError('rememberMs must be a number of milliseconds greater than 0.');
  await openDurableFiles(folder);
  const pending = await openDurableFiles(join(folder, 'pending'));
  const settled = await openDurableFiles(join(folder, 'settled'));
  await settled.removeOlderThan(Date.now() - rememberMs);

  /** A crash can leave a pending and a settled file of one submission. The settled file wins. */
  async function read(name: string): Promise<SubmissionRecord | null> {
    return (await readIn(settled, name)) ?? readIn(pending, name);
  }

  const find = (id: string) => read(nameOf(id));

  async function readOrReport(name: string): Promise<SubmissionRecord | UnreadableSubmission | null> {
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
        'Another process removed the record while it was added: only one process may use this folder.',
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
        const record = await readOrReport(name);
        if (record?.state === 'pending' && record.scope === scope) found.push(record);
        if (record?.state === 'unreadable') found.push(record);
        if (record?.state === 'submitted') await pending.remove(name);
      }
      return found;
    },
  };
}

/** Ids may be longer than a file name and have any characters. */
function nameOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

/** @throws Error with the path if the file is damaged. */
async function readIn(files: DurableFiles, name: string): Promise<SubmissionRecord | null> {
  const text = await files.read(name);
  if (text === null) return null;
  const record = parseJson(text);
  if (isRecord(record) && STATES.has(record.state)) return record as unknown as SubmissionRecord;
  throw new Error(
    `${files.pathOf(name)} is not a submission that this version can read. Restore it or move it away: ` +
      'the service still rejects a second application with its sourceApplicationId.',
  );
}
