/** The look-ups of `applications.list`, and the pages of every other list. */
import { describe, expect, it } from 'vitest';
import { HOST_ACTOR } from '../../../packages/core/src/domain/audit.js';
import type { JobId, KeyId } from '../../../packages/core/src/domain/ids.js';
import type { ApplicationFilter } from '../../../packages/core/src/groups/applications/application-filter.js';
import type { Page } from '../../../packages/core/src/operator/page-cursor.js';
import { openStage, PICKER } from '../operator/stage.js';

const stage = await openStage();
const { operator } = stage;

/** A key with access to a company with a job, and applications, a second apart. */
async function hired(count: number) {
  const keyId = await stage.key();
  const companyId = await stage.company();
  await operator.access.grant({ keyId, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  const applications: Awaited<ReturnType<typeof stage.application>>[] = [];
  for (let number = 0; number < count; number += 1) {
    await stage.clock.advance(1_000);
    applications.push(await stage.application(keyId, job));
  }
  return { keyId, companyId, jobId: job.id, applications };
}

/** The ids of all pages of a look-up. */
async function idsOf(filter: ApplicationFilter, limit = 2): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await operator.applications.list({ ...filter, limit, ...(cursor && { cursor }) });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(await operator.applications.count(filter)).toEqual({ count: ids.length, isExact: true });
  return ids;
}

describe('applications.list', () => {
  it('pages through a key, a company or a job, newest first, with or without status and time', async () => {
    const { keyId, companyId, jobId, applications } = await hired(5);
    await hired(1);
    const newest = applications.toReversed();
    const ids = newest.map(({ id }) => id);
    for (const scope of [{ keyId }, { companyId }, { jobId }]) expect(await idsOf(scope)).toEqual(ids);
    const [last, , middle, , first] = newest;
    if (!first || !middle || !last) throw new Error('Five were submitted.');
    await operator.applications.move({ id: middle.id });
    await operator.applications.move({ id: first.id });
    expect(await idsOf({ keyId, status: 'in_progress' }, 1)).toEqual([middle.id, first.id]);
    expect(await idsOf({ jobId, submittedSince: middle.submittedAt })).toEqual(ids.slice(0, 3));
    expect(await idsOf({ companyId, status: 'received', submittedSince: last.submittedAt })).toEqual([
      last.id,
    ]);
    expect((await idsOf({}, 3)).slice(1, 6)).toEqual(ids);
  });

  it('pages through the changes of a key, in their order', async () => {
    const { keyId, applications } = await hired(3);
    const [first, second, third] = applications;
    if (!first || !second || !third) throw new Error('Three were submitted.');
    await stage.clock.advance(1_000);
    const { application } = await operator.applications.move({ id: first.id });
    expect(await idsOf({ keyId, changedSince: 0 }, 1)).toEqual([second.id, third.id, first.id]);
    expect(await idsOf({ keyId, changedSince: third.changedAt })).toEqual([third.id, first.id]);
    expect(await idsOf({ keyId, changedSince: application.changedAt + 1 })).toEqual([]);
  });

  it('finds applications by last name and by the id at the partner', async () => {
    const { applications } = await hired(3);
    const ids = applications.map(({ id }) => id);
    const [first] = applications;
    if (!first) throw new Error('Three were submitted.');
    const { lastName } = first.candidate;
    const found = await idsOf({ lastNamePrefix: lastName.slice(0, 3).toUpperCase() });
    expect(found).toEqual(expect.arrayContaining(ids));
    expect(new Set(found).size).toBe(found.length);
    expect(await idsOf({ lastNamePrefix: `${lastName}x` })).toEqual([]);
    const sourceApplicationId = first.sourceApplicationId ?? '';
    expect(await idsOf({ sourceApplicationId })).toEqual([first.id]);
    expect(await idsOf({ sourceApplicationId: `${sourceApplicationId}x` })).toEqual([]);
  });

  it('shows names beside ids', async () => {
    const { keyId } = await hired(1);
    const { items: applications } = await operator.applications.list({ keyId });
    expect(applications).toMatchObject([
      {
        partnerName: 'Acme ATS',
        keyLabel: 'Acme ATS (production)',
        companyName: 'Warehouse Inc',
        jobTitle: 'Picker',
        candidate: { lastName: expect.any(String) },
      },
    ]);
  });

  const keyId: KeyId = 'key_1';
  const jobId: JobId = 'job_1';
  it.each<[string, ApplicationFilter]>([
    ['two scopes', { keyId, jobId }],
    ['three scopes', { keyId, jobId, companyId: 'co_1' }],
    ['a status without a scope', { status: 'received' }],
    ['a time without a scope', { submittedSince: 5 }],
    ['changes without a key', { changedSince: 5 }],
    ['changes of a job', { jobId, changedSince: 5 }],
    ['changes in a status', { keyId, status: 'received', changedSince: 5 }],
    ['both times', { keyId, submittedSince: 5, changedSince: 5 }],
    ['a last name of a key', { keyId, lastNamePrefix: 'o' }],
    ['a last name and an id', { lastNamePrefix: 'o', sourceApplicationId: '5' }],
    ['an id and a status', { sourceApplicationId: '5', status: 'received' }],
  ])('refuses %s, and names what is possible', async (_, filter) => {
    const names = Object.keys(filter).map((name) => `\`${name}\``);
    const refusal = operator.applications.list(filter);
    await expect(refusal).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(refusal).rejects.toThrow('or `keyId` and `changedSince`, or `unchangedSince`');
    await expect(refusal).rejects.toThrow('or no filter.');
    for (const name of names) await expect(refusal).rejects.toThrow(name);
  });

  it.each<[string, ApplicationFilter]>([
    ['limit', { limit: 1_001 }],
    ['limit', { limit: 0.5 }],
    ['status', { keyId, status: 'hired' as 'accepted' }],
    ['submittedSince', { keyId, submittedSince: Number.NaN }],
    ['changedSince', { keyId, changedSince: -1 }],
    ['lastNamePrefix', { lastNamePrefix: ' ' }],
    ['lastNamePrefix', { lastNamePrefix: 'x'.repeat(61) }],
    ['sourceApplicationId', { sourceApplicationId: 'a\0' }],
    ['cursor', { cursor: 'none' }],
  ])('refuses an invalid %s', async (name, filter) => {
    await expect(operator.applications.list(filter)).rejects.toThrow(name);
  });

  it('binds cursors to their filters, and puts no personal data into them', async () => {
    const { companyId, applications } = await hired(3);
    const cursors = await Promise.all(
      [{ companyId }, { lastNamePrefix: applications[0]?.candidate.lastName ?? '' }, {}].map(
        async (filter) => [filter, (await operator.applications.list({ ...filter, limit: 1 })).nextCursor],
      ),
    );
    for (const [filter, cursor] of cursors as [ApplicationFilter, string][]) {
      const text = Buffer.from(cursor, 'base64url').toString().toLowerCase();
      expect(text).not.toContain((applications[0]?.candidate.lastName ?? '').toLowerCase());
      for (const [other] of cursors as [ApplicationFilter, string][]) {
        const page = operator.applications.list({ ...other, cursor, limit: 1 });
        if (other === filter) expect((await page).items).toHaveLength(1);
        else await expect(page).rejects.toThrow('cursor must be');
      }
    }
  });
});

describe('every other list', () => {
  it('has pages with cursors, and names beside ids', async () => {
    for (let number = 0; number < 3; number += 1) await hired(1);
    const { keyId, companyId } = await hired(1);
    const second = await stage.company();
    await operator.access.grant({ keyId, companyId: second });
    for (let number = 0; number < 3; number += 1) await operator.jobs.publish({ ...PICKER, companyId });
    const names = { partnerName: 'Acme ATS', keyLabel: 'Acme ATS (production)' };
    const lists = {
      partners: [operator.partners.list, {}, {}],
      companies: [operator.companies.list, {}, {}],
      keys: [operator.keys.list, {}, { partnerName: 'Acme ATS', label: 'Acme ATS (production)' }],
      access: [operator.access.list, { keyId }, { ...names, companyName: 'Warehouse Inc' }],
      jobs: [operator.jobs.list, { companyId }, { companyName: 'Warehouse Inc' }],
      open: [operator.jobs.list, { companyId, state: 'open' }, {}],
      endpoints: [operator.endpoints.list, {}, names],
      deliveries: [operator.deliveries.list, { keyId }, names],
    } as const;
    for (const [list, filter, shown] of Object.values(lists)) {
      const read = list as unknown as (input: object) => Promise<Page<object>>;
      const all = (await read({ ...filter, limit: 1_000 })).items;
      expect(all.length).toBeGreaterThan(1);
      for (const row of all) expect(row).toMatchObject(shown);
      const walked: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await read({ ...filter, limit: 1, cursor });
        walked.push(...page.items);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(walked).toEqual(all);
      await expect(read({ ...filter, cursor: 'none' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('names the partner of an operation', async () => {
    const { keyId, companyId } = await hired(1);
    await operator.jobs.publishInSteps([{ ...PICKER, companyId }]);
    await stage.storage.direct.operations.add({
      operation: {
        id: 'op_named',
        plan: { kind: 'retry_now', keyId },
        state: 'running',
        lastError: null,
        counts: { done: 0, skipped: 0, total: null },
        failed: null,
        sync: null,
        finishedAt: null,
        startedBy: HOST_ACTOR,
        createdAt: stage.clock.now() + 1,
        updatedAt: stage.clock.now(),
      },
      position: null,
      failures: 0,
      dueAt: stage.clock.now(),
    });
    const { items: operations, nextCursor } = await operator.operations.list({ limit: 1 });
    expect(operations).toMatchObject([{ partnerName: 'Acme ATS', keyLabel: 'Acme ATS (production)' }]);
    const cursor = nextCursor ?? '';
    const next = await operator.operations.list({ limit: 1, cursor });
    expect(next.items).toMatchObject([{ partnerName: null, keyLabel: null }]);
  });
});
