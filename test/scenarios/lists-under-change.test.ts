/** Contract: 5.10, under concurrent change. No row's last version is ever missed. */

import { type Row, syncOnce, turn } from '@partner-hiring/test-support/client/sync-copy';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let fixture: Fixture;
let partner: Partner;
beforeEach(async () => {
  const unreached = 1_000_000;
  fixture = await createFixture({
    limits: {
      submit_application: unreached,
      list_applications: unreached,
      list_jobs: unreached,
      list_events: unreached,
    },
    selfService: { events: true },
  });
  partner = await createPartner(fixture, { endpoint: false });
});
afterEach(() => fixture.close());

const WRITERS = 8;

/** A partner that keeps a copy: it upserts by id. */
function sync(
  path: string,
  nextLimit: () => number,
  copy: Map<unknown, Row>,
  since: string | null,
): Promise<string> {
  return syncOnce(partner, path, nextLimit, since, (row) => copy.set(row.id, row));
}

describe('a reader that pages while 8 writers insert, decide and move', () => {
  const anyLimit = () => 1 + Math.floor(Math.random() * 200);
  it.each([
    ...[1, 3, 50].map((limit) => [`pages of ${limit}`, () => limit] as const),
    ['each page of another size', anyLimit] as const,
  ])('sees the last version of every application, %s', async (_, limit) => {
    const { jobId } = await createEmployer(fixture, partner);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { minLength: 24, maxLength: 64 }), async (script) => {
        const copy = new Map<unknown, Row>();
        let isWriting = true;
        const writers = Array.from({ length: WRITERS }, (_, writer) =>
          write(
            jobId,
            script.filter((__, index) => index % WRITERS === writer),
          ),
        );
        const reader = (async () => {
          let since: string | null = null;
          while (isWriting) since = await sync('/applications', limit, copy, since);
          await sync('/applications', limit, copy, since);
        })();
        await Promise.all(writers);
        isWriting = false;
        await reader;
        expect([...copy.values()].sort(byId)).toEqual((await truth('/applications')).sort(byId));
      }),
      { numRuns: 3 },
    );
  });

  it('sees the last version of every visible job, and updated_since by the largest updatedAt misses none', async () => {
    const { companyId } = await createEmployer(fixture, partner);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.nat(3), { minLength: 16 }),
        async (limit, script) => {
          const copy = new Map<unknown, Row>();
          let isWriting = true;
          const writers = Array.from({ length: WRITERS }, () => changeJobs(companyId, script));
          const reader = (async () => {
            const largest = () =>
              [...copy.values()]
                .map(({ updatedAt }) => String(updatedAt))
                .sort()
                .at(-1) ?? null;
            while (isWriting) await sync('/jobs', () => limit, copy, largest());
            await sync('/jobs', () => limit, copy, largest());
          })();
          await Promise.all(writers);
          isWriting = false;
          await reader;
          for (const row of await truth('/jobs')) expect(copy.get(row.id)).toEqual(row);
        },
      ),
      { numRuns: 3 },
    );
  });
});

describe('a reader that pages through its events while 8 writers decide and close', () => {
  it.each([1, 3, 50])('sees every event once in its place, pages of %i', async (limit) => {
    const { jobId, companyId } = await createEmployer(fixture, partner);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { minLength: 24, maxLength: 48 }), async (script) => {
        const read: Row[] = [];
        const readOn = (since: string | null) =>
          syncOnce(
            partner,
            '/events',
            () => limit,
            since,
            (row) => read.push(row),
          );
        let isWriting = true;
        const writers = Array.from({ length: WRITERS }, (_, writer) => {
          const own = script.filter((__, index) => index % WRITERS === writer);
          return writer % 2 === 0 ? write(jobId, own) : changeJobs(companyId, own);
        });
        const reader = (async () => {
          let since: string | null = null;
          while (isWriting) since = await readOn(since);
          await readOn(since);
        })();
        await Promise.all(writers);
        isWriting = false;
        await reader;
        const all: Row[] = [];
        await syncOnce(
          partner,
          '/events',
          () => 200,
          null,
          (row) => all.push(row),
        );
        expect(read).toEqual(all);
        const decided = all.filter(({ type }) => type === 'application.status_changed');
        const final = (await truth('/applications')).filter(({ status }) =>
          ['accepted', 'rejected'].includes(String(status)),
        );
        expect(decided).toHaveLength(final.length);
      }),
      { numRuns: 3 },
    );
  });
});

async function write(jobId: string, script: readonly number[]): Promise<void> {
  const { applications } = fixture.operator;
  for (const step of script) {
    const { json } = await partner.submit(submission(jobId));
    const id = json.id as `ej_app_${string}`;
    await turn();
    if (step > 0) await applications.move({ id });
    if (step > 1) await applications.move({ id, stage: step > 2 ? 'final_review' : 'under_review' });
    await turn();
    if (step > 3) await applications.decide({ id, decision: step > 4 ? 'accepted' : 'rejected' });
  }
}

async function changeJobs(companyId: `co_${string}`, script: readonly number[]): Promise<void> {
  const { id } = await fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
  for (const [index, step] of script.entries()) {
    await turn();
    if (step === 0) await fixture.operator.jobs.update({ id, changes: { title: `Title ${index}` } });
    if (step === 1) await fixture.operator.jobs.close({ id });
    if (step > 1) await fixture.operator.jobs.reopen({ id });
  }
}

async function truth(path: string): Promise<Row[]> {
  const copy = new Map<unknown, Row>();
  await sync(path, () => 200, copy, null);
  return [...copy.values()];
}

function byId(a: Row, b: Row): number {
  return String(a.id) < String(b.id) ? -1 : 1;
}
