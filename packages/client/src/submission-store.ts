import type { CreatedApplication } from './wire.js';

/** What every record of a submission has. */
interface RecordBase {
  /** Unique in the store: scope and `sourceApplicationId`. Any length, any characters. */
  readonly id: string;
  /** Whose it is: one key's records, if several share a store. */
  readonly scope: string;
  readonly sourceApplicationId: string;
  /** A UUID v4, the same for every attempt. */
  readonly idempotencyKey: string;
  /** SHA-256 of the body, in hex. */
  readonly fingerprint: string;
}

/** A submission that is not settled: it may have been sent or not. */
export interface PendingSubmission extends RecordBase {
  readonly state: 'pending';
  readonly jobId: string;
  /**
   * The request's body, to be kept to the byte: it goes out again just so. It holds the candidate's personal
   * data, and is gone once the submission is settled.
   */
  readonly body: string;
}

/** A submission that became an application. */
export interface SettledSubmission extends RecordBase {
  readonly state: 'submitted';
  readonly application: CreatedApplication;
}

/**
 * What a store holds and cannot read, such as a damaged file. It may be a submission of any scope: it is told of, so
 * that it keeps none of the others from being settled.
 */
export interface UnreadableSubmission {
  readonly state: 'unreadable';
  /** Where it is, for whoever mends it: a file's path, a row's id. Nothing of the candidate. */
  readonly where: string;
  /** Why it cannot be read. */
  readonly error: unknown;
}

/** What a store keeps of a submission. */
export type SubmissionRecord = PendingSubmission | SettledSubmission;

/**
 * Where submissions are kept from before they are first sent until after they are settled. Whatever a method
 * has done must last when it resolves: the client sends only after that. Give records back as they came, byte
 * for byte. `submissionStoreChecks` in `@partner-hiring/client/testing` says whether a store is fit.
 */
export interface SubmissionStore {
  /**
   * Adds the record unless there is one with its `id`, as one act also against other processes. Resolves to
   * the record that is there then: this one, or the one that was.
   */
  add(record: PendingSubmission): Promise<SubmissionRecord>;
  /** The record with this id, or null. */
  find(id: string): Promise<SubmissionRecord | null>;
  /**
   * Puts the settled record in the place of the pending one with the same `id` and `idempotencyKey`. If there
   * is none, it changes nothing. A store may drop settled records after a while.
   */
  settle(record: SettledSubmission): Promise<void>;
  /** Removes the pending record with this `id` and this `idempotencyKey`, if it is there. */
  remove(record: PendingSubmission): Promise<void>;
  /** The pending records of a scope, in any order, and what cannot be read and may be one. */
  listPending(scope: string): Promise<readonly (PendingSubmission | UnreadableSubmission)[]>;
}

/**
 * A store in memory. **It does not survive a restart**: what was under way is then forgotten, and only
 * `sourceApplicationId` keeps a candidate from being doubled, as an error. Keep what matters in
 * `createFileSubmissionStore`, or in your own database.
 */
export function createMemorySubmissionStore(): SubmissionStore {
  const records = new Map<string, SubmissionRecord>();

  function isPending({ id, idempotencyKey }: SubmissionRecord): boolean {
    const found = records.get(id);
    return found?.state === 'pending' && found.idempotencyKey === idempotencyKey;
  }

  return {
    add: async (record) => {
      const found = records.get(record.id) ?? record;
      records.set(record.id, found);
      return found;
    },
    find: async (id) => records.get(id) ?? null,
    settle: async (record) => {
      if (isPending(record)) records.set(record.id, record);
    },
    remove: async (record) => {
      if (isPending(record)) records.delete(record.id);
    },
    listPending: async (scope) =>
      [...records.values()].filter(
        (record) => record.state === 'pending' && record.scope === scope,
      ) as PendingSubmission[],
  };
}
