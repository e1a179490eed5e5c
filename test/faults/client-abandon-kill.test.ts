/** A partner's process that is killed while it gives up or replaces a submission whose outcome is not known. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerClient, type PartnerClient, type PendingSubmission } from '@partner-hiring/client';
import { createFileSubmissionStore } from '@partner-hiring/client/file-store';
import { collect } from '@partner-hiring/test-support/client/collect';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applicant } from './stage/applicant.js';
import { type Child, startChild } from './stage/child.js';
import { report, sized } from './stage/size.js';
import type { StepAct, StepOrders } from './stage/step-orders.js';
import { DISCARD, openWatchedApi, type WatchedApi } from './stage/watched-api.js';

/** One of so many steps is a kill. */
const STRIDE = sized(1, 5);
const ROUNDS = sized(300, 30);
const TIMEOUT_MS = sized(600_000, 120_000);

let api: WatchedApi;
let folder: string;
beforeEach(async () => {
  api = await openWatchedApi();
  folder = await mkdtemp(join(tmpdir(), 'partner-hiring-abandon-'));
});
afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

function start(killAt: number | null = null): Promise<Child<unknown>> {
  const { baseUrl, apiKey, jobId } = api;
  const orders: StepOrders = { baseUrl, apiKey, jobId, folder, killAt };
  return startChild('client-step-child.ts', [JSON.stringify(orders)]);
}

/** Resolves with the outcome, or `killed`. */
function ask(child: Child<unknown>, kind: StepAct['kind'], id: string): Promise<string> {
  return child.ask<{ readonly ended: string }>({ kind, id }).then(
    ({ ended }) => ended,
    () => 'killed',
  );
}

async function openClient(): Promise<PartnerClient> {
  const { baseUrl, apiKey } = api;
  const submissions = await createFileSubmissionStore(folder);
  return createPartnerClient({ baseUrl, apiKey, submissions, maxAttempts: 1 });
}

/** Submits as the restarted process. */
async function submit(id: string, firstName: string, replace = false): Promise<string> {
  const { applications } = await openClient();
  return applications.submit(applicant(api.jobId, id, firstName), { replace }).then(
    ({ outcome }) => outcome,
    (error: { readonly code?: string; readonly name: string }) => error.code ?? error.name,
  );
}

const BLOCKED = { status: 403, headers: { 'Content-Type': 'text/html' }, body: '<html>', discard: DISCARD };

/** Leaves a pending record of Ada. A proxy has blocked the request, or the answer. */
async function leaveStuck(id: string, isStored: boolean): Promise<void> {
  const block = async () => BLOCKED;
  api.meddle(isStored ? { after: block } : { before: block });
  expect(await submit(id, 'Ada')).toBe('SubmissionPendingError');
  api.meddle({});
}

async function firstNames(id: string): Promise<readonly string[]> {
  return (await api.candidates(id)).map(({ firstName }) => firstName);
}

async function pendingFiles(): Promise<readonly string[]> {
  return (await readdir(join(folder, 'pending'))).filter((file) => file.endsWith('.json'));
}

/** A kill may leave the file of a settled submission, which the next `resumePending` deletes. */
async function expectNothingPending(): Promise<void> {
  const { applications } = await openClient();
  expect(await collect(applications.resumePending())).toEqual([]);
  expect(await pendingFiles()).toEqual([]);
}

/** Kills a process at each step of an act, until one ends, and calls `check` after each. */
async function killAtEach(
  kind: StepAct['kind'],
  isStored: boolean,
  check: (id: string) => Promise<void>,
): Promise<void> {
  let kills = 0;
  let outcome = 'killed';
  for (let killAt = 1; outcome === 'killed'; killAt += STRIDE) {
    const id = `ats-${killAt}`;
    await leaveStuck(id, isStored);
    const child = await start(killAt);
    outcome = await ask(child, kind, id);
    if (outcome === 'killed') kills += 1;
    await child.kill();
    await check(id);
  }
  const ending = kind === 'abandon' ? ['removed', 'submitted'] : ['created', 'SubmissionConflictError'];
  expect(outcome).toBe(ending[isStored ? 1 : 0]);
  expect(kills).toBeGreaterThan(1);
  report(`SIGKILL of a client at each step of ${kind}`, `${kills} kills, 0 lost, 0 doubled`);
}

describe.each([
  ['was not stored', false],
  ['was stored', true],
] as const)('a process that is killed at each step, while the old content %s,', (_, isStored) => {
  it('of `abandon` leaves the record or its outcome', { timeout: TIMEOUT_MS }, async () => {
    await killAtEach('abandon', isStored, async (id) => {
      const { applications } = await openClient();
      const { kind } = await applications.abandon(id);
      expect(isStored ? ['submitted'] : ['removed', 'unknown']).toContain(kind);
      await expectNothingPending();
      expect(await firstNames(id)).toEqual(isStored ? ['Ada'] : []);
      expect(await submit(id, 'Ada')).toBe(isStored ? 'known' : 'created');
      expect(await firstNames(id)).toEqual(['Ada']);
    });
  });

  it('of a replacement that is resumed leaves one application', { timeout: TIMEOUT_MS }, async () => {
    await killAtEach('replace', isStored, async (id) => {
      const { applications } = await openClient();
      for (const { kind } of await collect(applications.resumePending())) expect(kind).toBe('submitted');
      await expectNothingPending();
      // If the old content was resumed, it cannot be replaced any more.
      const isOld = (await submit(id, 'Grace', true)) === 'SubmissionConflictError';
      expect(await firstNames(id)).toEqual([isOld ? 'Ada' : 'Grace']);
      await expectNothingPending();
    });
  });

  it('of a replacement that is asked for again leaves the new content', { timeout: TIMEOUT_MS }, async () => {
    await killAtEach('replace', isStored, async (id) => {
      const outcome = await submit(id, 'Grace', true);
      expect(outcome === 'SubmissionConflictError').toBe(isStored);
      expect(await firstNames(id)).toEqual([isStored ? 'Ada' : 'Grace']);
      await expectNothingPending();
    });
  });
});

it.each([
  ['new', 'replayed', 'Grace'],
  ['old', 'DUPLICATE_SOURCE_APPLICATION_ID', 'Ada'],
] as const)('%s content that arrives after a replacement was killed is %s', async (which, outcome, name) => {
  await leaveStuck('ats-1', false);
  const old = await readPending();
  await killReplacement();
  const late = which === 'new' ? await readPending() : old;
  let isLate = false;
  api.meddle({
    before: async ({ method }) => {
      if (method === 'POST' && !isLate) {
        isLate = true;
        expect(await send(late)).toBe(201);
      }
      return null;
    },
  });
  expect(await submit('ats-1', 'Grace', true)).toBe(outcome);
  expect(await firstNames('ats-1')).toEqual([name]);
  await expectNothingPending();
});

it('old content that arrived before a replacement is asked for again is a duplicate', async () => {
  await leaveStuck('ats-1', false);
  const old = await readPending();
  await killReplacement();
  expect(await send(old)).toBe(201);
  const { applications } = await openClient();
  expect(await applications.abandon('ats-1')).toMatchObject({ kind: 'submitted' });
  expect(await submit('ats-1', 'Grace', true)).toBe('DUPLICATE_SOURCE_APPLICATION_ID');
  expect(await submit('ats-1', 'Grace')).toBe('DUPLICATE_SOURCE_APPLICATION_ID');
  expect(await firstNames('ats-1')).toEqual(['Ada']);
  await expectNothingPending();
});

/** Kills a process that replaces `ats-1` while it sends the new content, which is not stored. */
async function killReplacement(): Promise<void> {
  const child = await start();
  api.meddle({
    before: async ({ method }) => {
      if (method !== 'POST') return null;
      await child.kill();
      return BLOCKED;
    },
  });
  expect(await ask(child, 'replace', 'ats-1')).toBe('killed');
  api.meddle({});
}

/** Returns the only pending record. */
async function readPending(): Promise<PendingSubmission> {
  const [file = ''] = await pendingFiles();
  return JSON.parse(await readFile(join(folder, 'pending', file), 'utf8')) as PendingSubmission;
}

/** Sends a record as a slow network does. Returns the status. */
async function send({ body, idempotencyKey }: PendingSubmission): Promise<number> {
  const headers = {
    authorization: `Bearer ${api.apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
  };
  return (await fetch(`${api.baseUrl}/applications`, { method: 'POST', headers, body })).status;
}

/** After these, the application exists. */
const ACCEPTED: ReadonlySet<string> = new Set(['created', 'replayed', 'found', 'known', 'submitted']);
const REFUSED: ReadonlySet<string> = new Set([
  'removed',
  'unknown',
  'SubmissionConflictError',
  'DUPLICATE_SOURCE_APPLICATION_ID',
  'Another process removed the record while it was added: only one process may use this folder.',
]);

it.each([
  ['abandon', 'submit'],
  ['abandon', 'replace'],
  ['replace', 'replace'],
  ['submit', 'replace'],
] as const)(
  'two processes that %s and %s the same id at once store it once',
  async (...acts) => {
    const processes = await Promise.all(acts.map(async (kind) => [await start(), kind] as const));
    const seen: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = `ats-${round}`;
      await leaveStuck(id, round % 2 === 1);
      const outcomes = await Promise.all(processes.map(([child, kind]) => ask(child, kind, id)));
      const both = outcomes.join(', ');
      seen[both] = (seen[both] ?? 0) + 1;
      const names = await firstNames(id);
      const isAccepted = outcomes.some((outcome) => ACCEPTED.has(outcome));
      expect(names.length, both).toBe(isAccepted ? 1 : Math.min(names.length, 1));
      for (const [index, kind] of acts.entries()) {
        if (kind === 'abandon' || !ACCEPTED.has(outcomes[index] ?? '')) continue;
        expect(names, both).toEqual([kind === 'replace' ? 'Grace' : 'Ada']);
      }
      expect(outcomes.filter((outcome) => !ACCEPTED.has(outcome) && !REFUSED.has(outcome))).toEqual([]);

      const { applications } = await openClient();
      for (const { kind } of await collect(applications.resumePending())) expect(kind).toBe('submitted');
      await submit(id, 'Grace');
      expect(await firstNames(id)).toHaveLength(1);
      await expectNothingPending();
    }
    await Promise.all(processes.map(([child]) => child.kill()));
    report(`Two processes that ${acts.join(' and ')} at once`, JSON.stringify(seen));
  },
  TIMEOUT_MS,
);
