/** A partner's copy converges, despite changes, failures and restarts. */
import {
  type Application,
  createMemorySyncStore,
  type Fetch,
  type Job,
  type SyncReport,
  type SyncStore,
} from '@partner-hiring/client';
import { turn } from '@partner-hiring/test-support/client/sync-copy';
import { submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientStage, openClientStage } from './stage.js';

const UNREACHED = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

let stage: ClientStage;
let companyId: `co_${string}`;
let jobId: `job_${string}`;
beforeEach(async () => {
  stage = await openClientStage({
    limits: { submit_application: UNREACHED, list_applications: UNREACHED, list_jobs: UNREACHED },
  });
  ({ companyId, jobId } = await stage.employer());
});
afterEach(() => stage.close());

async function truth<Row extends { readonly id: string }>(
  list: AsyncIterable<Row>,
): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for await (const row of list) rows.set(row.id, row);
  return rows;
}

/** A store that sometimes fails before or after its work, like a crash. */
function mortal<Row>(store: SyncStore<Row>, dies: () => boolean): SyncStore<Row> {
  return {
    ...store,
    apply: async (change) => {
      if (dies()) throw new Error('ended before');
      await store.apply(change);
      await turn();
      if (dies()) throw new Error('ended after');
    },
  };
}

/** Small pages, so that rows change between them. */
function pagesOf(limit: number): Fetch {
  return (url, init) => stage.fetch(url.replace('limit=200', `limit=${limit}`), init);
}

async function changeJobs(script: readonly { readonly which: number; readonly what: number }[]) {
  const { jobs, access } = stage.fixture.operator;
  const { keyId } = stage.partner;
  const ids: `job_${string}`[] = [jobId];
  for (const [index, { which, what }] of script.entries()) {
    await turn();
    const id = ids[which % ids.length] ?? jobId;
    if (what === 0) ids.push((await jobs.publish({ companyId, ...WAREHOUSE_JOB })).id);
    if (what === 1) await jobs.update({ id, changes: { title: `Title ${index}` } });
    if (what === 2) await jobs.close({ id });
    if (what === 3) await jobs.reopen({ id });
    if (what === 4 && which === 0) await access.revoke({ keyId, companyId });
    if (what === 4 && which !== 0) await access.grant({ keyId, companyId });
  }
  await access.grant({ keyId, companyId });
}

async function moveApplications(script: readonly number[]): Promise<void> {
  const { applications } = stage.fixture.operator;
  for (const moves of script) {
    const { json } = await stage.partner.submit(submission(jobId));
    const id = json.id as `ej_app_${string}`;
    await turn();
    if (moves > 0) await applications.move({ id });
    if (moves > 1) await applications.move({ id, stage: 'under_review' });
    await turn();
    if (moves > 2) await applications.decide({ id, decision: moves > 3 ? 'accepted' : 'rejected' });
  }
}

describe('while jobs open, change and close, and the process crashes', () => {
  it('a copy converges and reports rows that disappeared', async () => {
    const step = fc.record({ which: fc.nat(4), what: fc.nat(4) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 60 }),
        fc.infiniteStream(fc.nat(9)),
        async (script, luck) => {
          const copy = createMemorySyncStore<Job>();
          const store = mortal(copy, () => luck.next().value === 0);
          const client = stage.client({ fetch: pagesOf(2) });
          let isWriting = true;
          const writer = changeJobs(script).finally(() => {
            isWriting = false;
          });
          const reports: SyncReport[] = [];
          for (let round = 0; isWriting; round += 1) {
            // Reads either changes or the whole list.
            const report = await client.jobs
              .sync({ store, compareEveryMs: round % 3 === 0 ? 0 : DAY_MS })
              .catch(() => null);
            if (report !== null) reports.push(report);
          }
          await writer;
          await client.jobs.sync({ store: copy });
          const open = await truth(client.jobs.list());
          // Changes contain all open jobs; only the comparison finds closed ones.
          for (const [id, job] of open) expect(copy.rows.get(id)).toEqual(job);
          const before = [...copy.rows.keys()];
          const { disappeared } = await client.jobs.sync({ store: copy, compareEveryMs: 0 });
          expect([...disappeared].sort()).toEqual(before.filter((id) => !open.has(id)).sort());
          expect(copy.rows).toEqual(open);
        },
      ),
      { numRuns: 5 },
    );
  });
});

describe('while applications are submitted and move', () => {
  it('a copy converges, including stage moves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { minLength: 12, maxLength: 40 }),
        fc.infiniteStream(fc.nat(9)),
        async (script, luck) => {
          const copy = createMemorySyncStore<Application>();
          const store = mortal(copy, () => luck.next().value === 0);
          const client = stage.client({ fetch: pagesOf(3) });
          let isWriting = true;
          const writers = [0, 1, 2].map((offset) =>
            moveApplications(script.filter((_, i) => i % 3 === offset)),
          );
          const writing = Promise.all(writers).finally(() => {
            isWriting = false;
          });
          while (isWriting) await client.applications.sync({ store }).catch(() => null);
          await writing;
          const report = await client.applications.sync({ store: copy });
          expect(copy.rows).toEqual(await truth(client.applications.list()));
          expect(report.updatedThrough).toEqual(expect.any(String));
          expect(await client.applications.sync({ store: copy })).toMatchObject({ kind: 'changes', rows: 0 });
        },
      ),
      { numRuns: 4 },
    );
  });
});
