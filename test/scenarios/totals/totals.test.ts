/** Totals by partner, company and month. */
import type { CompanyId, ListedApplication, TotalsRow } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../packages/core/src/domain/time.js';
import { openTotalsStage } from './stage.js';

const monthText = (at: number) => new Date(at).toISOString().slice(0, '2026-11'.length);

const stage = perTest(openTotalsStage, ({ close }) => close());

/** Four days over the end of a month: jobs, submissions, decisions, refused requests and deliveries. */
async function live(): Promise<void> {
  const { operator, partners, employers, publish, submit, pass } = stage;
  for (let day = 0; day < 4; day += 1) {
    for (const [index, partner] of partners.entries()) {
      const { companyId, jobId } = employers[(day + index) % 2] ?? employers[0];
      const job = await publish(companyId);
      const ids = [await submit(partner, job.id), await submit(partner, jobId)];
      await partner.submit({ jobId });
      await partner.get('/applications/ej_app_none');
      await pass((day + 1) * HOUR_MS);
      for (const id of ids) await operator.applications.move({ id });
      if (day !== 2) await operator.applications.decide({ id: ids[0] ?? 'ej_app_', decision: 'accepted' });
      if (day > 0) await operator.applications.decide({ id: ids[1] ?? 'ej_app_', decision: 'rejected' });
      if (day === 1) await operator.jobs.close({ id: job.id });
      await stage.partnerHiring.worker.drain();
    }
    await stage.count();
    await pass(DAY_MS);
  }
  await stage.count();
}

type Counted = Pick<TotalsRow, 'submitted' | 'hired' | 'rejected'>;

/** Counts the applications of a month anew. */
function recount(
  applications: readonly ListedApplication[],
  month: string,
  isOf: (application: ListedApplication) => boolean,
): Counted {
  const own = applications.filter(isOf);
  const decided = (status: string) =>
    own.filter((each) => each.status === status && monthText(each.lastStatusChangeAt) === month).length;
  return {
    submitted: own.filter(({ submittedAt }) => monthText(submittedAt) === month).length,
    hired: decided('accepted'),
    rejected: decided('rejected'),
  };
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

const MONTHS = ['2026-01', '2026-02'] as const;

it('equal the figures that the rows give, by partner, by company and by month', async () => {
  const { operator, partners, employers, figures } = stage;
  await live();
  const applications = await all(operator.applications.each());
  for (const month of MONTHS) {
    const rows = await figures({ from: month, to: month });
    expect(rows).toHaveLength(2);
    for (const { keyId, partnerId } of partners) {
      const row = rows.find((each) => each.partnerId === partnerId);
      expect(row).toMatchObject(recount(applications, month, (each) => each.keyId === keyId));
      const requests = await all(operator.requests.each({ keyId, onlyErrors: true }));
      expect(row?.refused).toBe(requests.filter(({ at }) => monthText(at) === month).length);
      const deliveries = await all(operator.deliveries.each({ keyId }));
      const delivered = deliveries.filter(({ state }) => state === 'delivered');
      expect(row?.delivered).toBe(delivered.filter(({ eventAt }) => monthText(eventAt) === month).length);
    }
    const ofCompanies = await figures({ from: month, to: month, by: 'company' });
    expect(new Set(ofCompanies.map(({ companyId }) => companyId))).toEqual(
      new Set(employers.map(({ companyId }) => companyId)),
    );
    for (const { companyId, refused, ...row } of ofCompanies) {
      expect(row).toMatchObject(recount(applications, month, (each) => each.companyId === companyId));
      expect(refused).toBeNull();
    }
    const [ofAll] = (await figures({ by: 'month' })).filter(
      (each) => each.from === month && each.to === month,
    );
    expect(ofAll).toMatchObject(recount(applications, month, () => true));
    expect(ofAll?.shown).toBe(rows.reduce((sum, { shown }) => sum + shown, 0));
  }
  const [partner] = partners;
  const shown = await Promise.all(
    employers.map(({ companyId }) => stage.storage.direct.keyJobs.listOfCompany(partner.keyId, companyId)),
  );
  const months = await figures({ by: 'month', partnerId: partner.partnerId });
  expect(months.reduce((sum, row) => sum + row.shown, 0)).toBe(shown.flat().length);
});

it('add up several months, and begin with the first kept one if only the last is chosen', async () => {
  const { operator, partners, figures } = stage;
  await live();
  const applications = await all(operator.applications.each());
  const [from, to] = MONTHS;
  const [{ keyId, partnerId }] = partners;
  const own = applications.filter((each) => each.keyId === keyId);
  const sums = MONTHS.map((month) => recount(own, month, () => true));
  const sumOf = (name: keyof Counted) => sums.reduce((sum, row) => sum + row[name], 0);
  const rows = await figures({ from, to, partnerId });
  expect(rows).toMatchObject([
    { from, to, submitted: sumOf('submitted'), hired: sumOf('hired'), rejected: sumOf('rejected') },
  ]);
  expect(rows[0]?.submitted).toBeGreaterThan(Math.max(...sums.map(({ submitted }) => submitted)));
  expect(await figures({ to, partnerId })).toMatchObject([{ ...rows[0], from: '2025-01' }]);
  expect(await figures({ from, partnerId })).toEqual(rows);
  expect((await figures({ by: 'month', from, to })).map((row) => row.from)).toEqual([to, from]);
  expect((await figures({ by: 'month', to: from }))[0]).toMatchObject({ from, to: from });
  expect(await figures({ from: '2026-03' })).toEqual([]);
  await expect(figures({ from: to, to: from })).rejects.toThrow('from must not be after to');
});

it('do not change with an erasure, and count nobody twice after it', async () => {
  const { operator, partners, figures, count } = stage;
  await live();
  const sums = async () => (await figures({ by: 'month' })).map(({ countedUntil: _, ...row }) => row);
  const before = await sums();
  for (const { id } of await all(operator.applications.each()))
    await operator.candidates.erase({ applicationId: id });
  await count();
  expect(await sums()).toEqual(before);
  const [partner] = partners;
  await operator.partners.remove({ id: partner.partnerId });
  await count();
  expect(await sums()).toEqual(before);
});

it('count a long backlog in parts', async () => {
  const { partners, employers, submit, figures, count, storage } = stage;
  for (let number = 0; number < 7; number += 1) await submit(partners[0], employers[0].jobId);
  let commits = 0;
  const transaction: typeof storage.transaction = (work) => {
    commits += 1;
    return storage.transaction(work);
  };
  // Nine facts of one partner need five steps.
  await count({ transaction }, 2);
  expect(commits).toBeGreaterThan(5);
  expect((await figures({ by: 'month' }))[0]).toMatchObject({ submitted: 7, shown: 4 });
});

it('have the median time to decision as a step of the histogram', async () => {
  const { operator, partners, employers, submit, figures, count, pass } = stage;
  for (const hours of [1, 3, 30]) {
    const id = await submit(partners[0], employers[0].jobId);
    await operator.applications.move({ id });
    await pass(hours * HOUR_MS);
    await operator.applications.decide({ id, decision: 'rejected' });
  }
  await count();
  const companyId: CompanyId = employers[0].companyId;
  const [row] = await figures({ partnerId: partners[0].partnerId, companyId });
  expect(row).toMatchObject({ rejected: 3, medianToDecisionMs: 4 * HOUR_MS, companyId });
  const [other] = await figures({ partnerId: partners[1].partnerId });
  expect(other).toMatchObject({ rejected: 0, medianToDecisionMs: null });
});

it('have the beginning and the end of what they count', async () => {
  const { clock, count, figures } = stage;
  expect((await figures())[0]).toMatchObject({ startedAt: null, countedUntil: null });
  await count();
  const startedAt = Math.floor((clock.now() - 6 * DAY_MS) / DAY_MS) * DAY_MS;
  await count();
  expect((await figures())[0]).toMatchObject({ startedAt, countedUntil: clock.now() });
});

it('count refused requests and deliveries of an hour once, when it has ended', async () => {
  const { partners, employers, submit, figures, count, pass, operator } = stage;
  const [partner] = partners;
  const id = await submit(partner, employers[0].jobId);
  await partner.submit({ jobId: employers[0].jobId });
  await operator.applications.move({ id });
  await stage.partnerHiring.worker.drain();
  await count();
  const sums = async () => (await figures({ partnerId: partner.partnerId }))[0];
  expect(await sums()).toMatchObject({ submitted: 1, refused: 0, delivered: 0 });
  await pass(2 * HOUR_MS);
  await count();
  await count();
  const { items } = await operator.deliveries.list({ keyId: partner.keyId });
  expect(items.length).toBeGreaterThan(0);
  expect(await sums()).toMatchObject({ submitted: 1, refused: 1, delivered: items.length });
});

it('are counted by the worker, and deleted 400 days later', async () => {
  const { partners, employers, submit, figures, pass, storage } = stage;
  await submit(partners[0], employers[0].jobId);
  await pass(10 * 60_000);
  expect((await figures({ by: 'month' }))[0]).toMatchObject({ to: '2026-01', submitted: 1 });
  const day = Date.parse('2026-01-29');
  const days = [{ keyId: partners[0].keyId, companyId: 'all', from: day, until: day + 1 }] as const;
  await pass(399 * DAY_MS, DAY_MS);
  expect((await storage.direct.totals.sumEach(days))[0]?.get('submitted')).toBe(1);
  const months = await figures({ by: 'month' });
  expect([months.length, months.at(-1)?.from]).toEqual([14, '2026-02']);
  await pass(2 * DAY_MS, DAY_MS);
  expect((await storage.direct.totals.sumEach(days))[0]?.size).toBe(0);
});

it('have pages by partner and by company of one environment', async () => {
  const { operator, partners, employers, publish, count, figures } = stage;
  await operator.companies.create({ name: 'Sandbox', environment: 'sandbox' });
  const third = await operator.companies.create({ name: 'Third', environment: 'production' });
  await operator.access.grant({ keyId: partners[1].keyId, companyId: third.id });
  await publish(third.id);
  await count();
  const all = await operator.totals.list({ by: 'company' });
  expect(all.items.map(({ companyName, shown }) => [companyName, shown])).toEqual([
    ['Initech', 2],
    ['Initech', 2],
    ['Third', 1],
  ]);
  const first = await operator.totals.list({ by: 'company', limit: 2 });
  const second = await operator.totals.list({ by: 'company', limit: 2, cursor: first.nextCursor ?? '' });
  expect([...first.items, ...second.items]).toEqual(all.items);
  const [{ partnerId }] = partners;
  const ofPartner = await figures({ by: 'company', partnerId });
  expect(ofPartner.map(({ companyId, shown }) => [companyId, shown])).toEqual(
    employers.map(({ companyId }) => [companyId, 1]),
  );
  expect(await figures({ by: 'company', partnerId, environment: 'sandbox' })).toEqual([]);
  expect(await figures({ companyId: third.id, environment: 'sandbox' })).toEqual([]);
  const [one] = await figures({ companyId: third.id, partnerId: partners[1].partnerId });
  expect(one).toMatchObject({ companyName: 'Third', shown: 1, refused: null });
  const page = await operator.totals.list({ limit: 1 });
  const next = await operator.totals.list({ limit: 1, cursor: page.nextCursor ?? '' });
  expect(new Set([...page.items, ...next.items].map((row) => row.partnerId))).toEqual(
    new Set(partners.map((each) => each.partnerId)),
  );
});
