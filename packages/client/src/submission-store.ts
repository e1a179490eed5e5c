import type { CreatedApplication } from './wire.js';

interface RecordBase {
  /** Unique in the store. May have any length and any characters. */
  readonly id: string;
  /** Separates the records of several keys. */
  readonly scope: string;
  readonly sourceApplicationId: string;
  /** A UUID v4, the same for every attempt. */
  readonly idempotencyKey: string;
  /** SHA-256 of the body, in hex. */
  readonly fingerprint: string;
}

/** A submission without a known outcome. It may have been sent. */
export interface PendingSubmission extends RecordBase {
  readonly state: 'pending';
  readonly jobId: string;
  /** The exact request body, with the candidate's personal data. */
  readonly body: string;
  /**
   * When the record was made, in milliseconds since 1970. A record without it counts as old: a refusal then settles it
   * only after a look at the list of applications.
   */
  readonly createdAt?: number | undefined;
  /** True if it replaced other content, which the service may have. A duplicate then does not prove that this content arrived. */
  readonly isReplacement?: boolean | undefined;
}

/** A submission that became an application. Contains no personal data. */
export interface SettledSubmission extends RecordBase {
  readonly state: 'submitted';
  readonly application: CreatedApplication;
}

/** An entry that the store cannot read, such as a damaged file. */
export interface UnreadableSubmission {
  readonly state: 'unreadable';
  /** Such as a file path or a row id. Must not contain personal data. */
  readonly where: string;
  readonly error: unknown;
}

/** A record of a submission. */
export type SubmissionRecord = PendingSubmission | SettledSubmission;

/**
 * Keeps submissions until their outcome is known. When a method resolves, its change must be durable. Return
 * records byte for byte. Test your own store with `submissionStoreChecks` from
 * `@partner-hiring/client/testing`.
 */
export interface SubmissionStore {
  /** Adds the record unless its `id` exists, atomically across processes. Returns the stored record. */
  add(record: PendingSubmission): Promise<SubmissionRecord>;
  find(id: string): Promise<SubmissionRecord | null>;
  /** Replaces the pending record with the same `id` and `idempotencyKey`, if it exists. */
  settle(record: SettledSubmission): Promise<void>;
  /** Removes the pending record with the same `id` and `idempotencyKey`, if it exists. */
  remove(record: PendingSubmission): Promise<void>;
  /** Returns the pending records of the scope and all entries that the store cannot read, in any order. */
  listPending(scope: string): Promise<readonly (PendingSubmission | UnreadableSubmission)[]>;
}

/**
 * Builds a store in memory. **A restart loses its records.** In production, use `createFileSubmissionStore` or
 * your database.
 * @example
 * const client = createPartnerClient({
 *   baseUrl: 'http://localhost:3000/api/v1/external',
 *   apiKey: process.env.PARTNER_API_KEY ?? '',
 *   submissions: createMemorySubmissionStore(),
 * });
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
