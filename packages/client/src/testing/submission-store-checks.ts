import type { PendingSubmission, SettledSubmission, SubmissionStore } from '../submission-store.js';
import { expectSame, type StoreCheck } from './store-check.js';

/** Opens the store on what was kept; the second time, as a process does that starts again. */
export type OpenSubmissionStore = () => Promise<SubmissionStore>;

/** Texts that databases and files like to change: order, spaces, other alphabets, escapes, a line's end. */
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
    ...changes,
  };
}

function settledFrom({ id, scope, sourceApplicationId, ...rest }: PendingSubmission): SettledSubmission {
  const { idempotencyKey, fingerprint } = rest;
  const base = { id, scope, sourceApplicationId, idempotencyKey, fingerprint };
  return { ...base, state: 'submitted', application: APPLICATION };
}

/** Another submission under the same identifier, as another process would add it. */
function rivalOf(record: PendingSubmission): PendingSubmission {
  return { ...record, idempotencyKey: crypto.randomUUID(), body: '{}', fingerprint: '0'.repeat(64) };
}

/**
 * What every submission store must do.
 *
 * @param open - opens the store. Checks use identifiers of their own, so it may hold other records.
 * @param reopen - opens it as a new process does; leave it out for a store that lives in memory.
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
    check('gives a record back byte for byte', givesBack),
    check('keeps the record that was there first, and answers with it', keepsTheFirst),
    check('adds one of many that come at once, and tells all which', addsOneOfMany),
    check('settles a record: it is known, and no longer pending', settles),
    check('settles nothing under another key, and nothing that is not there', settlesOnlyItsOwn),
    check('removes a record, so that another can be added', removes),
    check('removes nothing under another key, and nothing that is settled', removesOnlyItsOwn),
    check('lists what is pending in one scope, and keeps it', listsOneScope),
  ];
  return reopen === null ? checks : [...checks, survives(open, reopen)];
}

/** Without what cannot be read: the store may have held it before the check. */
async function pendingIn(store: SubmissionStore, scope: string): Promise<PendingSubmission[]> {
  const listed = await store.listPending(scope);
  return listed.filter((record) => record.state !== 'unreadable');
}

async function givesBack(store: SubmissionStore): Promise<void> {
  const record = pendingSubmission();
  expectSame('find, of what is not there', await store.find(record.id), null);
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
  if (found === null) throw new Error('A settled record was dropped at once: then it is of no use.');
  expectSame('find', found, settledFrom(record));
  expectSame('add, of what is settled', await store.add(rivalOf(record)), settledFrom(record));
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
    expectSame('find, of what is pending, after listPending', await store.find(record.id), record);
  }
}

function survives(open: OpenSubmissionStore, reopen: OpenSubmissionStore): StoreCheck {
  const name = 'has kept everything when it is opened again';
  const run = async () => {
    const store = await open();
    const [kept, settled, removed] = [pendingSubmission(), pendingSubmission(), pendingSubmission()];
    for (const record of [kept, settled, removed]) await store.add(record);
    await store.settle(settledFrom(settled));
    await store.remove(removed);
    const again = await reopen();
    expectSame('find, of what was pending', await again.find(kept.id), kept);
    expectSame('find, of what was settled', await again.find(settled.id), settledFrom(settled));
    expectSame('find, of what was removed', await again.find(removed.id), null);
    expectSame('listPending', await pendingIn(again, kept.scope), [kept]);
  };
  return { name, run };
}
