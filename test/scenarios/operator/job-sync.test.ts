import { describe, expect, it } from 'vitest';
import type { CompanyId, JobId } from '../../../packages/core/src/domain/ids.js';
import { openSyncStage } from './job-sync-stage.js';
import { PICKER } from './stage.js';

const { stage, operator, clock, direct, newStory } = await openSyncStage();

describe('a sync', () => {
  it('adds, updates, reopens and closes jobs, and a repeated run changes nothing', async () => {
    const { id, row, rows, states, eventsOf } = await newStory();
    expect(await operator.jobs.syncs.run(rows(3))).toMatchObject({
      state: 'done',
      added: 3,
      open: 3,
      refused: [],
    });
    await operator.jobs.close({ id: id(1) });
    await clock.advance(10);
    const changed = [row(0, { title: 'Packer' }), row(1), row('new')];
    const result = await operator.jobs.syncs.run(changed);
    expect(result).toMatchObject({ added: 1, updated: 1, reopened: 1, closed: 1, unchanged: 0, missing: 1 });
    expect(await states(0, 1, 2, 'new')).toEqual(['open', 'open', 'closed', 'open']);
    expect((await direct.jobs.find([id(0)]))[0]?.title).toBe('Packer');
    const events = await eventsOf();
    expect(events.slice(-4).toSorted()).toEqual(
      [
        `job.closed ${id(1)}`,
        `job.opened ${id(1)}`,
        `job.opened ${id('new')}`,
        `job.closed ${id(2)}`,
      ].toSorted(),
    );
    await clock.advance(10);
    expect(await operator.jobs.syncs.run(changed)).toMatchObject({ unchanged: 3, updated: 0, closed: 0 });
    expect(await eventsOf()).toEqual(events);
  });

  it('skips a row with an equal version without comparing it, until another command changes the job', async () => {
    const { id, row } = await newStory();
    await operator.jobs.syncs.run([row(1, { version: 7 })]);
    await clock.advance(10);
    const other = row(1, { version: '7', title: 'Other' });
    expect(await operator.jobs.syncs.run([other])).toMatchObject({ unchanged: 1, updated: 0 });
    await operator.jobs.update({ id: id(1), changes: { title: 'By hand' } });
    await clock.advance(10);
    expect(await operator.jobs.syncs.run([other])).toMatchObject({ unchanged: 0, updated: 1 });
    expect((await direct.jobs.find([id(1)]))[0]).toMatchObject({ title: 'Other', sourceVersion: '7' });
  });

  it('counts pay that is probably a salary once a run, names three jobs, and stores them all the same', async () => {
    const { id, row, states } = await newStory();
    const paid = (name: number, min: number | null, max: number | null, currency = 'USD') =>
      row(name, { version: 1, compensation: { min, max, currency } });
    const usual = [paid(0, 500, 500), paid(1, null, null), paid(2, 2_000, 3_000, 'JPY')];
    const high = [paid(3, 18, 501), paid(4, 90_000, null), paid(5, null, 52_000, 'EUR'), paid(6, 501, 502)];
    const source = [...usual, ...high];
    const highPay = { jobs: 4, ids: [id(3), id(4), id(5)] };
    expect(await operator.jobs.syncs.run(source, { dryRun: true })).toMatchObject({ added: 7, highPay });
    expect(await operator.jobs.syncs.run(source)).toMatchObject({ added: 7, refused: [], highPay });
    expect(await states(3, 4, 5, 6)).toEqual(['open', 'open', 'open', 'open']);
    await clock.advance(10);
    expect(await operator.jobs.syncs.run(source)).toMatchObject({ unchanged: 7, highPay });
    expect((await operator.jobs.syncs.last()).operation?.sync?.highPay).toEqual(highPay);
    expect(await operator.jobs.syncs.run([row(3)])).toMatchObject({ highPay: { jobs: 0, ids: [] } });
  });

  it('keeps what a row does not say about hiding, and otherwise lets the source win', async () => {
    const { id, row } = await newStory();
    await operator.jobs.syncs.run([row(1)]);
    await operator.jobs.setVisibility({ id: id(1), visibility: 'internal_only' });
    await clock.advance(10);
    expect(await operator.jobs.syncs.run([row(1)])).toMatchObject({ unchanged: 1 });
    expect(await operator.jobs.syncs.run([row(1, { internalOnly: false })])).toMatchObject({ updated: 1 });
  });

  it('says in the audit and the timeline which jobs it made internal-only or public, and not of new ones', async () => {
    const { id, row } = await newStory();
    await operator.jobs.syncs.run([row(1), row(2), row(3, { internalOnly: true })]);
    await clock.advance(10);
    const hidden = { internalOnly: true };
    const { operationId } = await operator.jobs.syncs.run([row(1, hidden), row(2, hidden), row(3)]);
    await clock.advance(10);
    await operator.jobs.syncs.run([row(1, { internalOnly: false }), row(2), row(3)]);
    const texts = async (name: number) =>
      (await operator.timelines.find({ jobId: id(name) })).entries.map(({ text }) => text);
    const made = `A sync with the job source made 2 jobs internal-only, so no partner sees them anymore (operation ${operationId}).`;
    expect(await texts(1)).toEqual(
      expect.arrayContaining([
        made,
        expect.stringMatching(/^A sync with the job source made 1 job public \(operation op_/),
      ]),
    );
    expect(await texts(2)).toContain(made);
    expect((await texts(3)).filter((text) => text.includes('internal-only'))).toEqual([]);
    const object = { kind: 'operation', id: operationId ?? '' } as const;
    const { items } = await operator.audit.list({ object });
    const hiding = items.filter(
      ({ act, after }) => act === 'jobs.setVisibility' && after?.internalOnly === true,
    );
    expect(hiding).toMatchObject([
      { count: 2, before: { internalOnly: false }, after: { internalOnly: true }, objects: { length: 3 } },
    ]);
  });

  it('owns only production jobs that it has added or read, and with `adopt` the others of the read companies', async () => {
    const { companyId, row, id, states } = await newStory();
    const [elsewhere, sandbox] = [await stage.company(), await stage.company('sandbox')];
    await operator.jobs.publish([
      { ...PICKER, id: id('own'), companyId },
      { ...PICKER, id: id('read'), companyId },
      { ...PICKER, id: id('elsewhere'), companyId: elsewhere },
      { ...PICKER, id: id('sandbox'), companyId: sandbox },
    ]);
    await clock.advance(10);
    expect(await operator.jobs.syncs.run([row('read'), row(1)])).toMatchObject({
      added: 1,
      unchanged: 1,
      closed: 0,
    });
    expect(await operator.jobs.syncs.run([row(1)])).toMatchObject({ closed: 1, open: 2 });
    expect(await states('own', 'read')).toEqual(['open', 'closed']);
    expect(await operator.jobs.syncs.run([row(1)], { adopt: true })).toMatchObject({ closed: 1, open: 2 });
    expect(await states('own', 'elsewhere', 'sandbox', 1)).toEqual(['closed', 'open', 'open', 'open']);
  });

  it('archives or keeps missing jobs if asked', async () => {
    const { rows, row, states } = await newStory();
    await operator.jobs.syncs.run(rows(3));
    expect(await operator.jobs.syncs.run([row(0)], { missing: 'keep' })).toMatchObject({
      closed: 0,
      missing: 2,
    });
    expect(await operator.jobs.syncs.run([row(0)], { missing: 'archive' })).toMatchObject({ closed: 2 });
    expect(await states(0, 1, 2)).toEqual(['open', 'archived', 'archived']);
    expect(await operator.jobs.syncs.run(rows(3))).toMatchObject({ reopened: 2 });
  });

  it('leaves a job to the next run that a command changes during this one', async () => {
    const { id, row, states } = await newStory();
    await operator.jobs.syncs.run([row('closed'), row('missing')]);
    async function* source() {
      await clock.advance(10);
      await operator.jobs.close({ id: id('closed') });
      await operator.jobs.update({ id: id('missing'), changes: { title: 'By hand' } });
      yield row('closed');
    }
    expect(await operator.jobs.syncs.run(source())).toMatchObject({ reopened: 0, unchanged: 1, closed: 0 });
    expect(await states('closed', 'missing')).toEqual(['closed', 'open']);
    await clock.advance(10);
    expect(await operator.jobs.syncs.run([row('closed')])).toMatchObject({ reopened: 1, closed: 1 });
    expect(await states('closed', 'missing')).toEqual(['open', 'closed']);
  });

  it('creates a company that rows name, and saves its changed name once', async () => {
    const { row, id, keyId } = await newStory();
    const coId: CompanyId = `co_named_${id(1)}`;
    const named = (name: string) => ({ companyId: undefined, company: { id: coId, name } });
    const first = [row(1, { ...named('Depot'), version: 1 }), row(2, { ...named('Other'), version: 1 })];
    expect(await operator.jobs.syncs.run(first)).toMatchObject({ added: 2 });
    expect(await direct.companies.find(coId)).toMatchObject({ name: 'Depot', environment: 'production' });
    await operator.access.grant([coId].map((id) => ({ keyId, companyId: id })));
    const before = await stage.visible(keyId);
    await clock.advance(10);
    expect(await operator.jobs.syncs.run(first)).toMatchObject({ unchanged: 2 });
    expect(await stage.visible(keyId)).toEqual(before);
    await operator.jobs.syncs.run([
      row(1, { ...named('Depot 2'), version: 1 }),
      row(2, { companyId: coId, version: 1 }),
    ]);
    expect((await direct.companies.find(coId))?.name).toBe('Depot 2');
    const after = await stage.visible(keyId);
    expect(after.map(({ id }) => id).toSorted()).toEqual([id(1), id(2)]);
    expect(after.map(({ changedAt }) => changedAt)).not.toEqual(before.map(({ changedAt }) => changedAt));
  });

  it('refuses bad rows with a code and the fix, takes the others, and closes no refused job', async () => {
    const { row, rows, id, states } = await newStory();
    const sandbox = await stage.company('sandbox');
    await operator.jobs.publish({ ...PICKER, id: id('sandbox'), companyId: sandbox });
    await operator.jobs.syncs.run(rows(4));
    await clock.advance(10);
    const result = await operator.jobs.syncs.run([
      row(0, { title: '' }),
      row(1, { companyId: 'co_none' }),
      row(2, { companyId: sandbox }),
      row(3),
      row(3),
      row('sandbox'),
      row('both', { company: { id: 'co_x', name: 'X' } }),
    ]);
    expect(result.refused.map((each) => [each.id, each.code])).toEqual([
      [id(3), 'DUPLICATE_ID'],
      [id(0), 'INVALID_INPUT'],
      [id('both'), 'INVALID_INPUT'],
      [id(1), 'COMPANY_NOT_FOUND'],
      [id(2), 'ENVIRONMENT_MISMATCH'],
      [id('sandbox'), 'JOB_EXISTS'],
    ]);
    expect(result.refused.find((each) => each.id === id('both'))?.message).toContain(
      'either companyId or company',
    );
    expect(result).toMatchObject({ refusedCount: 6, closed: 0, unchanged: 1, state: 'done' });
    expect(await states(0, 1, 2, 3)).toEqual(['open', 'open', 'open', 'open']);
    expect((await operator.jobs.syncs.last()).refused).toEqual(result.refused);
  });

  it('returns the first 1,000 refused rows, and counts all', async () => {
    const { row } = await newStory();
    const bad = Array.from({ length: 1_100 }, (_, number) => row(`bad${number}`, { title: '' }));
    const result = await operator.jobs.syncs.run(bad);
    expect(result).toMatchObject({ refusedCount: 1_100, added: 0 });
    expect(result.refused).toHaveLength(1_000);
    expect((await operator.jobs.syncs.last()).refused).toHaveLength(1_000);
  });

  it('names the rule of an id that is not in our form, and closes nothing because of it', async () => {
    const { rows, row } = await newStory();
    await operator.jobs.syncs.run(rows(2));
    await clock.advance(10);
    const result = await operator.jobs.syncs.run([row(0), { ...row(1), id: 'JOB-1' as JobId }]);
    expect(result).toMatchObject({ state: 'held', closed: 0, refusedCount: 1 });
    expect(result.refused[0]?.message).toContain('job_ followed by 1 to 120 characters of A-Z a-z 0-9 _ -');
  });

  it('refuses an Error in place of a row with its message, and closes nothing because of it', async () => {
    const { row, rows, states } = await newStory();
    await operator.jobs.syncs.run(rows(2));
    await clock.advance(10);
    const unreadable = Object.assign(new Error(`Line 2 is not JSON.${'.'.repeat(1_000)}`), row(1));
    const { refused, ...result } = await operator.jobs.syncs.run([row(0), unreadable]);
    expect(refused).toMatchObject([{ id: null, code: 'INVALID_INPUT' }]);
    expect(refused[0]?.message).toMatch(/^Line 2 is not JSON\.{481,490}$/);
    expect(result).toMatchObject({ state: 'held', refusedCount: 1, unchanged: 1, closed: 0 });
    expect(await states(0, 1)).toEqual(['open', 'open']);
  });

  it('counts with `dryRun` what a run would do, and changes nothing', async () => {
    const { rows, row, states } = await newStory();
    await operator.jobs.syncs.run(rows(3));
    await clock.advance(10);
    const source = [
      row(0, { title: 'Packer' }),
      row('new', { companyId: undefined, company: { id: 'co_dry', name: 'D' } }),
    ];
    expect(await operator.jobs.syncs.run(source, { dryRun: true })).toMatchObject({
      operationId: null,
      state: 'done',
      added: 1,
      updated: 1,
      closed: 2,
    });
    expect(await states(1, 'new')).toEqual(['open', null]);
    expect(await direct.companies.find('co_dry')).toBeNull();
  });
});
