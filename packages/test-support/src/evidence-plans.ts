import type { EvidenceBatch, KeyId, Repositories } from '@partner-hiring/core/ports';

const KEY: KeyId = 'key_1';
const BATCH: EvidenceBatch = {
  keyId: KEY,
  kind: 'first_attempts',
  successes: [{ eventAt: 5, deliveredAt: 6, status: 200, latencyMs: 1, attempts: 1, cycle: 1 }],
};

/** A query on delivery evidence, and how many statements it runs. */
export type EvidenceQuery = readonly [
  name: string,
  run: (r: Repositories) => Promise<unknown>,
  statements: number,
];

/** The queries on delivery evidence, which must find their rows by an index. */
export const EVIDENCE_QUERIES: readonly EvidenceQuery[] = [
  ['finding successes', (r) => r.evidence.find([{ keyId: KEY, at: 5 }]), 2],
  ['appending', (r) => r.evidence.append([BATCH]), 1],
  ['sweeping', (r) => r.evidence.sweep(9, 9), 2],
];

/** Makes a sweep go on after it has found old rows. */
export function answerWithOld(sql: string): readonly unknown[] {
  return sql.startsWith('select') && sql.includes('"last_at" as "at"') ? [{ at: 5 }] : [];
}
