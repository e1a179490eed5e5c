import type { PendingSubmission, SettledSubmission, SubmissionStore } from '../submission-store.js';
import { expectSame, type StoreCheck } from './store-check.js';

/** Opens the store with the records that were saved in it. */
export type OpenSubmissionStore = () => Promise<SubmissionStore>;

const BODY = '{"b":1,"a": "é\u2028\\u0000 😀 \\"quoted\\" \'q\'","n":1.0}\r\n';
const APPLICATION = {
  id: 'ej_app_1',
  sourceApplicationId: 'ats 1',
  jobId: 'job_1',
  status: 'received',
  createdAt: '2026-11-21T10:15:30.123Z',
} as const;

let made = 0;

function pendingSubmission(changes: Partial<PendingSubmission> = {}): PendingSubmission {
  made += 1;
  const sourceApplicationId = changes.sourceApplicationId ?? `ats/${made} ‘ü’ ${'x'.repeat(100)}`;
  const scope = changes.scope ?? `https://check.example.org/api ${made}`;
  return {
    state: 'pending',
    id: `${scope}\n${sourceApplicationId}`,
    scope,
    sourceApplicationId,
    jobId: 'job_1',
    idempotencyKey: crypto.randomUUID(),
    body: BODY,
    fingerprint: 'f'.repeat(64),
    createdAt: 1_795_000_000_123,
    isReplacement: true,
    ...changes,
  };
}

function settledFrom({ id, scope, sourceApplicationId, ...rest }: PendingSubmission): SettledSubmission {
  const { idempotencyKey, fingerprint } = rest;
  const base = { id, scope, sourceApplicationId, idempotencyKey, fingerprint };
  return { ...base, state: 'submitted', application: APPLICATION };
}

/** Returns a different record with the same id, as another process would add it. */
function rivalOf(record: PendingSubmission): PendingSubmission {
  return { ...record, idempotencyKey: crypto.randomUUID(), body: '{}', fingerprint: '0'.repeat(64) };
}

/**
 * Returns the checks that every `SubmissionStore` must pass.
 * @param open - opens the store. It may hold other records: each check uses new ids.
 * @param reopen - opens it again as a new process would. Leave it out for a store in memory.
 * @example
 * const checks = submissionStoreChecks(async () => createMemorySubmissionStore());
 * for (const { run } of checks) await run();
 */
export function submissionStoreChecks(
  open: OpenSubmissionStore,
  reopen: OpenSubmissionStore | null = null,
): readonly StoreCheck[] {
  const check = (name: string, run: (store: SubmissionStore) => Promise<void>): StoreCheck => ({
    name,
    run: async () => run(await open()),
  });
  const checks = [
    check('returns a record byte for byte', returnsExactly),
    check('keeps the first record and returns it', keepsTheFirst),
    check('adds one of several concurrent records and returns it to every caller', addsOneOfMany),
    check('settles a record, which is then no longer pending', settles),
    check('does not settle a record with another key, or one that does not exist', settlesOnlyItsOwn),
    check('removes a record, so that another can be added', removes),
    check('does not remove a record with another key, or a settled one', removesOnlyItsOwn),
    check('lists the pending records of one scope without removing them', listsOneScope),
  ];
  return reopen === null ? checks : [...checks, survives(open, reopen)];
}

/** Skips unreadable entries, which may be older than the check. */
async function pendingIn(store: SubmissionStore, scope: string): Promise<PendingSubmission[]> {
  const listed = await store.listPending(scope);
  return listed.filter((record) => record.state !== 'unreadable');
}

async function returnsExactly(store: SubmissionStore): Promise<void> {
  const record = pendingSubmission();
  expectSame('find, of a record that does not exist', await store.find(record.id), null);
  expectSame('add', await store.add(record), record);
  expectSame('find', await store.find(record.id), record);
}

async function keepsTheFirst(store: SubmissionStore): Promise<void> {
  const record = pendingSubmission();
  await store.add(record);
  expectSame('add, the second time', await store.add(rivalOf(record)), record);
  expectSame('find', await store.find(record.id), record);
}

async function addsOneOfMany(store: SubmissionStore): Promise<void> {
  const record = pendingSubmission();
  const rivals = Array.from({ length: 8 }, () => rivalOf(record));
  const answers = await Promise.all(rivals.map((rival) => store.add(rival)));
  const winner = await store.find(record.id);
  for (const answer of answers) expectSame('add, among rivals', answer, winner);
}

async function settles(store: SubmissionStore): Promise<void> {
  const record = pendingSubmission();
  await store.add(record);
  await store.settle(settledFrom(record));
  const found = await store.find(record.id);
  if (found === null)
    throw new Error(
      'find: the store dropped a settled record at once. Keep it, so that the client does not send it again.',
    );
  expectSame('find', found, settledFrom(record));
  expectSame('add, of a settled record', await store.add(rivalOf(record)), settledFrom(record));
  expectSame('listPending', await pendingIn(store, record.scope), []);
}

async function settlesOnlyItsOwn(store: SubmissionStore): Promise<void> {
  const record = pendingSubmission();
  await store.settle(settledFrom(record));
  expectSame('find, settled without having been added', await store.find(record.id), null);
  await store.add(record);
  await store.settle(settledFrom(rivalOf(record)));
  expectSame('find, settled under another key', await store.find(record.id), record);
}

async function removes(store: SubmissionStore): Promise<void> {
  const record = pendingSubmission();
  await store.remove(record);
  await store.add(record);
  await store.remove(record);
  expectSame('find', await store.find(record.id), null);
  const next = rivalOf(record);
  expectSame('add, after a removal', await store.add(next), next);
}

async function removesOnlyItsOwn(store: SubmissionStore): Promise<void> {
  const record = pendingSubmission();
  await store.add(record);
  await store.remove(rivalOf(record));
  expectSame('find, removed under another key', await store.find(record.id), record);
  await store.settle(settledFrom(record));
  await store.remove(record);
  expectSame('find, removed once settled', await store.find(record.id), settledFrom(record));
}

async function listsOneScope(store: SubmissionStore): Promise<void> {
  const first = pendingSubmission();
  const second = pendingSubmission({ scope: first.scope, sourceApplicationId: 'another' });
  const settled = pendingSubmission({ scope: first.scope, sourceApplicationId: 'settled' });
  const foreign = pendingSubmission({ scope: `${first.scope} of another` });
  for (const record of [first, second, settled, foreign]) await store.add(record);
  await store.settle(settledFrom(settled));
  const listed = (await pendingIn(store, first.scope)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const expected = [first, second].sort((a, b) => (a.id < b.id ? -1 : 1));
  expectSame('listPending', listed, expected);
  for (const record of [first, foreign]) {
    expectSame('find, of a pending record, after listPending', await store.find(record.id), record);
  }
}

function survives(open: OpenSubmissionStore, reopen: OpenSubmissionStore): StoreCheck {
  const name = 'keeps all records when it is opened again';
  const run = async () => {
    const store = await open();
    const kept = pendingSubmission();
    const settled = pendingSubmission();
    const removed = pendingSubmission();
    for (const record of [kept, settled, removed]) await store.add(record);
    await store.settle(settledFrom(settled));
    await store.remove(removed);
    const again = await reopen();
    expectSame('find, of a pending record', await again.find(kept.id), kept);
    expectSame('find, of a settled record', await again.find(settled.id), settledFrom(settled));
    expectSame('find, of a removed record', await again.find(removed.id), null);
    expectSame('listPending', await pendingIn(again, kept.scope), [kept]);
  };
  return { name, run };
}
