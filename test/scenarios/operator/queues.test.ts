/** What waits for the host, over all partners: a list each. */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../packages/core/src/domain/time.js';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator } = stage;

/** Submits applications of two partners to one job, a day apart. */
async function submitTwo() {
  const companyId = await stage.company();
  const keyIds = [await stage.key(), await stage.key()];
  for (const keyId of keyIds) await operator.access.grant({ keyId, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  const applications = [];
  for (const keyId of keyIds) {
    applications.push(await stage.application(keyId, job));
    await stage.clock.advance(DAY_MS);
  }
  return applications.map(({ id }) => id);
}

describe('the list of unchanged applications', () => {
  it('has those of all partners that wait for a decision, longest unchanged first, by status', async () => {
    const [first, second] = await submitTwo();
    const list = async (filter: Parameters<typeof operator.applications.list>[0]) =>
      (await operator.applications.list(filter)).items
        .map(({ id }) => id)
        .filter((id) => id === first || id === second);
    const now = stage.clock.now();
    expect(await list({ unchangedSince: now })).toEqual([first, second]);
    expect(await list({ unchangedSince: now - DAY_MS - 1 })).toEqual([first]);
    await operator.applications.move({ id: first ?? 'ej_app_' });
    const later = now + DAY_MS;
    expect(await list({ unchangedSince: later })).toEqual([second, first]);
    expect(await list({ unchangedSince: later, status: 'in_progress' })).toEqual([first]);
    await operator.applications.decide({ id: first ?? 'ej_app_', decision: 'rejected' });
    expect(await list({ unchangedSince: later })).toEqual([second]);
  });

  it('continues although "unchanged for 14 days" has moved meanwhile', async () => {
    await submitTwo();
    const unchangedSince = stage.clock.now() + 1;
    const { items } = await operator.applications.list({ unchangedSince });
    const page = await operator.applications.list({ unchangedSince, limit: 1 });
    const cursor = page.nextCursor ?? undefined;
    const next = await operator.applications.list({ unchangedSince: unchangedSince + DAY_MS, cursor });
    expect([...page.items, ...next.items].map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    await expect(operator.applications.list({ unchangedSince, status: 'received', cursor })).rejects.toThrow(
      /cursor must be/,
    );
  });

  it('refuses a decided status, a key and other filters, and names what is possible', async () => {
    const unchangedSince = stage.clock.now();
    await expect(operator.applications.list({ unchangedSince, status: 'accepted' })).rejects.toThrow(
      /status must be received or in_progress with `unchangedSince`/,
    );
    const keyId = await stage.key();
    await expect(operator.applications.list({ unchangedSince, keyId })).rejects.toThrow(
      /cannot be combined\. .*`unchangedSince` with or without `status`, or `onlyFailedResumes`/,
    );
    await expect(operator.applications.list({ onlyFailedResumes: true, keyId })).rejects.toThrow(
      /cannot be combined/,
    );
    await expect(operator.applications.list({ onlyFailedResumes: false, keyId })).resolves.toBeDefined();
  });
});

describe('the list of failed résumés', () => {
  it('has those of undecided applications, newest failure first, in pages', async () => {
    const ids = await submitTwo();
    const { applications } = stage.storage.direct;
    for (const id of ids) {
      const failedAt = stage.clock.now();
      await applications.saveResume(id, { kind: 'failed', reason: 'too_large', failedAt });
      await stage.clock.advance(1_000);
    }
    const newestFirst = ids.toReversed();
    const first = await operator.applications.list({ onlyFailedResumes: true, limit: 1 });
    const cursor = first.nextCursor ?? undefined;
    const rest = await operator.applications.list({ onlyFailedResumes: true, limit: 1, cursor });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(newestFirst);
    expect(rest.items[0]?.resume).toMatchObject({ kind: 'failed', reason: 'too_large' });
  });
});

describe('the list of paused endpoints', () => {
  it('has only these, longest paused first, in pages', async () => {
    const keyIds = [await stage.key(), await stage.key(), await stage.key()];
    for (const keyId of keyIds.slice(0, 2)) {
      await operator.endpoints.pause({ keyId });
      await stage.clock.advance(1_000);
    }
    const first = await operator.endpoints.list({ onlyPaused: true, limit: 1 });
    const cursor = first.nextCursor ?? undefined;
    const rest = await operator.endpoints.list({ onlyPaused: true, limit: 1, cursor });
    expect([...first.items, ...rest.items].map(({ keyId }) => keyId)).toEqual(keyIds.slice(0, 2));
    expect(rest).toMatchObject({ nextCursor: null, items: [{ keyLabel: 'Acme ATS (production)' }] });
    await expect(operator.endpoints.list({ cursor })).rejects.toThrow(/cursor must be/);
    await operator.endpoints.resume({ keyId: keyIds[0] ?? 'key_' });
    expect((await operator.endpoints.list({ onlyPaused: true })).items).toMatchObject([{ keyId: keyIds[1] }]);
  });
});
