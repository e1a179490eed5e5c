/** Acts of the worker have actors of their own, and operations act as their starter. */
import { createFixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { answered } from '@partner-hiring/test-support/transport';
import { expect, it, onTestFinished } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import type { ListedAuditObject } from '../../../packages/core/src/features/audit/audit-entries.js';

type Options = Parameters<typeof createFixture>[0];

async function open(options: Options = {}) {
  const fixture = await createFixture(options);
  onTestFinished(() => fixture.close());
  return fixture;
}

const ADA = { id: 'ada', name: 'Ada', reason: 'ticket 815' };

it('the audit records an endpoint that is paused automatically', async () => {
  const fixture = await open();
  const { keyId } = await createPartner(fixture);
  fixture.transport.answerWith(() => answered(410));
  await createEmployer(fixture, { keyId });
  await fixture.pass(MINUTE_MS);
  const { items: entries } = await fixture.operator.audit.list({ object: { kind: 'endpoint', id: keyId } });
  expect(entries).toMatchObject([
    {
      act: 'endpoints.pause',
      actor: { id: 'system:auto-pause', name: null, reason: null, door: 'automatic' },
      keyId,
      before: { state: 'active' },
      after: { state: 'paused', pausedReason: 'gone' },
    },
  ]);
  await fixture.operator.as(ADA).endpoints.resume({ keyId, retryNow: true });
  const [resumed] = (await fixture.operator.audit.list({ limit: 1 })).items;
  expect(resumed).toMatchObject({ act: 'endpoints.resume', actor: ADA, before: { pausedReason: 'gone' } });
});

it('an operation is one act of its starter, with its count and, on demand, its objects', async () => {
  const fixture = await open();
  const partner = await createPartner(fixture);
  const { companyId, jobId } = await createEmployer(fixture, partner);
  const jobs = Array.from({ length: 250 }, () => ({ ...WAREHOUSE_JOB, companyId }));
  const { id } = await fixture.operator.as(ADA).jobs.publishInSteps(jobs);
  expect(await fixture.operator.operations.find({ id })).toMatchObject({ startedBy: ADA });
  await fixture.pass(MINUTE_MS);
  const { items: entries } = await fixture.operator.audit.list({ object: { kind: 'operation', id } });
  const act = { act: 'jobs.publishInSteps', actor: ADA, count: 250, filter: { jobs: 250 } };
  expect(entries).toMatchObject([act]);
  const { items: all } = await fixture.operator.jobs.list({ companyId, limit: 1_000 });
  const published = all.filter((job) => job.id !== jobId);
  const [found] = entries;
  const objects: ListedAuditObject[] = [];
  for (let cursor: string | undefined; ; ) {
    const whole = await fixture.operator.audit.find({ id: found?.id ?? 'aud_none', limit: 100, cursor });
    expect(whole).toMatchObject({ ...found });
    objects.push(...(whole?.allObjects.items ?? []));
    cursor = whole?.allObjects.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  expect(objects[0]).toMatchObject({ kind: 'operation', id, name: null });
  const named = objects.slice(1).map(({ kind, id: jobId, name }) => [kind, jobId, name]);
  expect(named.toSorted()).toEqual(published.map((job) => ['job', job.id, job.title]).toSorted());
  expect(found?.objectNames).toEqual([null, ...Array(19).fill(WAREHOUSE_JOB.title)]);
  for (const job of published.slice(0, 3)) {
    const ofJob = await fixture.operator.audit.list({ object: { kind: 'job', id: job.id } });
    expect(ofJob.items).toMatchObject([act]);
    const { entries: timeline } = await fixture.operator.timelines.find({ jobId: job.id });
    expect(timeline.filter(({ kind }) => kind === 'command')).toMatchObject([{ auditEntry: act }]);
  }
});

it('the audit records the erasures of the option for retention', async () => {
  const fixture = await open({ retention: { applicationsMs: 30 * DAY_MS } });
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  const { id } = (await partner.submit(submission(jobId))).json as { id: string };
  await fixture.pass(32 * DAY_MS, 6 * HOUR_MS);
  const { items: entries } = await fixture.operator.audit.list({ object: { kind: 'application', id } });
  expect(entries).toMatchObject([
    { act: 'candidates.eraseMany', actor: { id: 'system:retention' }, count: 1 },
  ]);
  const { items: all } = await fixture.operator.audit.list({ actorId: 'system:retention' });
  expect(all).toEqual(entries);
});

it('the audit records the steps of the sandbox', async () => {
  const fixture = await open({ sandbox: true });
  const partner = await createPartner(fixture, { sandbox: true });
  const [job] = ((await partner.get('/jobs')).json as { data: { id: string }[] }).data;
  const body = { ...submission(job?.id as 'job_1'), applicationFormAnswers: null };
  const email = 'accepted@sandbox.example';
  const reply = await partner.submit({ ...body, candidate: { ...body.candidate, email } });
  expect(reply.status).toBe(201);
  const { id } = reply.json as { id: string };
  await fixture.pass(10 * MINUTE_MS, 1_000);
  const { items: entries } = await fixture.operator.audit.list({ object: { kind: 'application', id } });
  expect(entries[0]).toMatchObject({ act: 'applications.decide', after: { status: 'accepted' } });
  expect(new Set(entries.map(({ actor }) => actor.id))).toEqual(new Set(['system:sandbox']));
});

it('old entries are removed, if the option does not keep them', async () => {
  for (const [auditMs, left] of [
    [undefined, 0],
    [null, 1],
    [2 * DAY_MS, 0],
  ] as const) {
    const fixture = await open(auditMs === undefined ? {} : { retention: { auditMs } });
    await fixture.operator.partners.create({ name: 'Acme ATS' });
    const days = auditMs === undefined ? 399 : 1;
    await fixture.pass(days * DAY_MS, days * DAY_MS);
    expect((await fixture.operator.audit.list()).items).toHaveLength(1);
    await fixture.pass(2 * DAY_MS, DAY_MS);
    expect((await fixture.operator.audit.list()).items).toHaveLength(left);
  }
});

it('the time for old entries must be at least a day, or null', async () => {
  await expect(open({ retention: { auditMs: 90 } })).rejects.toThrow(
    '`retention.auditMs` is 90, but must be at least one day, 86400000 milliseconds. Set it to null to keep audit entries.',
  );
  await expect(open({ retention: { auditMs: Number.NaN } })).rejects.toThrow('`retention.auditMs` is NaN');
});
