/** Which jobs of which companies a held sync would close, before somebody lets it. */
import type { CompanyId, JobId } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import { openStage, PICKER, type Stage } from './stage.js';

const COMPANIES = 250;
const JOBS = 5_000;

const padded = (number: number) => String(number).padStart(4, '0');

/** The rows of the platform: job 0 is of company 0, job 1 of company 1, and so on. */
const ROWS = Array.from({ length: JOBS }, (_, number) => {
  const company = padded(number % COMPANIES);
  const id: JobId = `job_h${padded(number)}`;
  return {
    ...PICKER,
    id,
    company: { id: `co_h${company}`, name: `Depot ${company}` } as const,
    version: '1',
  };
});

type Row = (typeof ROWS)[number];

/** Returns what the list must have, computed from the rows. */
function expected(rows: readonly Row[]) {
  const held = rows.map(({ id, company }) => ({
    companyId: company.id as CompanyId,
    companyName: company.name,
    jobId: id,
    jobTitle: PICKER.title,
    state: 'open',
  }));
  const keyOf = (job: (typeof held)[number]) => `${job.companyId} ${job.jobId}`;
  return held.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

async function listed({ jobs }: Stage['operator'], limit: number) {
  const all = [];
  for await (const job of jobs.eachHeld({ limit })) all.push(job);
  return all;
}

test('lists exactly the missing ones of 5,000 jobs, until a run closes them', {
  timeout: 120_000,
}, async () => {
  const { operator } = await openStage();
  const { syncs } = operator.jobs;
  expect(await syncs.run(ROWS)).toMatchObject({ state: 'done', added: JOBS });
  expect(await listed(operator, 1_000)).toEqual([]);

  const broken = ROWS.filter((_, number) => number % 5 === 0);
  expect(await syncs.run(broken)).toMatchObject({ state: 'held', missing: 4_000, closed: 0 });
  const { heldAt } = await syncs.last();
  expect(await listed(operator, 700)).toEqual(expected(ROWS.filter((row) => !broken.includes(row))));

  // The source has some of them again, and has lost others.
  const other = ROWS.filter((_, number) => number % 7 === 0);
  expect(await syncs.run(other)).toMatchObject({ state: 'held' });
  const missing = ROWS.filter((row) => !other.includes(row));
  expect(await listed(operator, 1_000)).toEqual(expected(missing));
  expect((await syncs.last()).heldAt).toBe(heldAt);
  const ofCompany = { companyId: 'co_h0003', limit: 1 } as const;
  const first = await operator.jobs.listHeld(ofCompany);
  const second = await operator.jobs.listHeld({ ...ofCompany, cursor: first.nextCursor ?? '' });
  const ofThree = expected(missing).filter(({ companyId }) => companyId === 'co_h0003');
  expect([...first.items, ...second.items]).toEqual(ofThree.slice(0, 2));

  // A run that fails says nothing about the source.
  await expect(syncs.run(failing())).rejects.toThrow('The table is gone.');
  expect(await listed(operator, 1_000)).toEqual(expected(missing));

  const { operation } = await syncs.last();
  expect(operation?.state).toBe('failed');
  await syncs.run(other);
  const { operation: held } = await syncs.last();
  if (held === null) throw new Error('There is a run.');
  await syncs.request({ applyHeld: held.id });
  expect(await syncs.run(other)).toMatchObject({ state: 'done', closed: missing.length });
  expect(await listed(operator, 1_000)).toEqual([]);
  expect((await syncs.last()).heldAt).toBeNull();
  expect((await operator.jobs.find({ id: missing[0]?.id ?? 'job_none' }))?.state).toBe('closed');
});

test('says that somebody has closed a held job since', async () => {
  const { operator } = await openStage();
  const rows = ROWS.slice(0, 40);
  await operator.jobs.syncs.run(rows);
  await operator.jobs.syncs.run([]);
  const id = rows[0]?.id ?? 'job_none';
  await operator.jobs.close({ id });
  const { items } = await operator.jobs.listHeld({ companyId: 'co_h0000' });
  expect(items).toMatchObject([{ jobId: id, state: 'closed' }]);
});

function* failing(): Generator<Row> {
  yield* ROWS.slice(0, 1);
  throw new Error('The table is gone.');
}
