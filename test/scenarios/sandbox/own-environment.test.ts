import type { Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
} from '@partner-hiring/test-support/partner';
import { describe, expect, it } from 'vitest';
import { KNOWN_QUESTION_TYPES } from '../../../packages/core/src/domain/application-form.js';
import { SANDBOX_JOB_NAMES, sandboxJobId } from '../../../packages/core/src/features/sandbox/job-rules.js';
import { candidate, openProcesses, openSandbox } from './stage.js';

type JobRow = {
  readonly id: string;
  readonly company: { readonly name: string };
  readonly applicationFormSchema: readonly { readonly type: string }[] | null;
};

const jobsOf = async (partner: Partner) => (await partner.get('/jobs')).json.data as readonly JobRow[];
const VISIBLE = ['open', 'form', 'closing', 'hiding', 'leaving'] as const;
const visibleIds = ({ keyId }: Partner) => VISIBLE.map((name) => sandboxJobId(keyId, name)).sort();
const ids = (jobs: readonly JobRow[]) => jobs.map(({ id }) => id).sort();

describe('a sandbox key', () => {
  it('has its own jobs when it is issued, with an event for each visible one', async () => {
    const processes = await openProcesses();
    const fixture = await processes.open();
    const partner = await createPartner(fixture, { sandbox: true });
    expect(ids(await jobsOf(partner))).toEqual(visibleIds(partner));

    await fixture.partnerHiring.worker.drain();
    const told = fixture.transport.events().map(({ type, data }) => `${type} ${data.jobId}`);
    expect(told.sort()).toEqual(visibleIds(partner).map((id) => `job.opened ${id}`));
  });

  it('has a form with every question type and an unknown one', async () => {
    const { partner, job } = await openSandbox();
    const form = (await jobsOf(partner)).find(({ id }) => id === job('form'))?.applicationFormSchema ?? [];
    const types = form.map(({ type }) => type);
    expect(types).toEqual([...KNOWN_QUESTION_TYPES, 'sandbox_unheard_of']);
    const answers = {
      weekends: true,
      nickname: 'Ada',
      motivation: 'The engine',
      years: 3,
      available_from: '2026-02-01',
      profile: 'https://ada.example.org',
      shift: 'day',
      shifts: ['day', 'night'],
      unheard_of: 'text',
    };
    expect((await partner.submit(submission(job('form')))).json.error).toBe('VALIDATION_ERROR');
    const body = submission(job('form'), { applicationFormAnswers: answers });
    expect((await partner.submit(body)).status).toBe(201);
  });

  it('cannot see or use the jobs of another sandbox key', async () => {
    const stage = await openSandbox();
    const other = await createPartner(stage, { sandbox: true });
    expect(ids(await jobsOf(other))).toEqual(visibleIds(other));
    for (const name of SANDBOX_JOB_NAMES) {
      expect((await other.submit(submission(stage.job(name)))).json.error, name).toBe('JOB_NOT_FOUND');
    }
    await stage.apply('x@example.org', 'closing');
    await stage.wait(10_000);
    expect(ids(await jobsOf(other))).toEqual(visibleIds(other));
  });

  it('issued before the sandbox was enabled gets its jobs from the worker', async () => {
    const processes = await openProcesses();
    const before = await processes.open({ sandbox: false });
    const partner = await createPartner(before, { sandbox: true });
    expect(await jobsOf(partner)).toEqual([]);

    const after = await processes.open();
    await after.partnerHiring.worker.drain();
    expect(ids(await jobsOf(partner))).toEqual(visibleIds(partner));
  });

  it('gets them immediately with sandbox.prepare, and only once', async () => {
    const processes = await openProcesses();
    const partner = await createPartner(await processes.open({ sandbox: false }), { sandbox: true });
    const { operator } = await processes.open();
    const prepared = await Promise.all([
      operator.sandbox.prepare({ keyId: partner.keyId }),
      operator.sandbox.prepare({ keyId: partner.keyId }),
    ]);
    expect(prepared.map(({ changed }) => changed).sort()).toEqual([false, true]);
    expect(ids(await jobsOf(partner))).toEqual(visibleIds(partner));
    await operator.jobs.archive({ id: sandboxJobId(partner.keyId, 'open') });
    expect(await operator.sandbox.prepare({ keyId: partner.keyId })).toEqual({ changed: false });
    expect(ids(await jobsOf(partner))).not.toContain(sandboxJobId(partner.keyId, 'open'));
  });
});

describe('a production key', () => {
  const openProduction = async () => {
    const stage = await openSandbox();
    const partner = await createPartner(stage, { endpoint: false });
    const { jobId } = await createEmployer(stage, partner);
    return { stage, partner, jobId };
  };

  it('has no jobs but those of its companies, and reaches none of a sandbox', async () => {
    const { stage, partner, jobId } = await openProduction();
    expect(ids(await jobsOf(partner))).toEqual([jobId]);
    expect((await partner.submit(submission(stage.job('open')))).json.error).toBe('JOB_NOT_FOUND');
  });

  it.each(['accepted', 'rate-limited', 'unavailable', 'internal-error', 'lost-reply', 'no-such-name'])(
    'treats %s@sandbox.example as an ordinary address',
    async (name) => {
      const { stage, partner, jobId } = await openProduction();
      const email = `${name}@sandbox.example`;
      const reply = await partner.submit(submission(jobId, { candidate: candidate(email) }));
      expect(reply.status).toBe(201);
      await stage.wait(10_000);
      const read = await partner.get(`/applications/${reply.json.id}`);
      expect(read.json).toMatchObject({ status: 'received', currentStage: 'Initial Outreach' });
    },
  );

  it('cannot have a sandbox', async () => {
    const { stage, partner } = await openProduction();
    await expect(stage.operator.sandbox.prepare({ keyId: partner.keyId })).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISMATCH',
    });
    const unknown = stage.operator.sandbox.prepare({ keyId: 'key_none' });
    await expect(unknown).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  });
});

describe('a host without the sandbox', () => {
  const openPlain = async (): Promise<{ fixture: Fixture; partner: Partner }> => {
    const fixture = await (await openProcesses()).open({ sandbox: false });
    return { fixture, partner: await createPartner(fixture, { sandbox: true }) };
  };

  it('creates no sandbox, and gets an error that explains how to enable it', async () => {
    const { fixture, partner } = await openPlain();
    expect((await fixture.operator.companies.list()).items.length).toBe(0);
    const prepared = fixture.operator.sandbox.prepare({ keyId: partner.keyId });
    await expect(prepared).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('sandbox: true'),
    });
  });

  it('treats magic addresses as ordinary, even with sandbox keys', async () => {
    const { fixture, partner } = await openPlain();
    const { jobId } = await createEmployer(fixture, partner, { sandbox: true });
    const reply = await partner.submit(
      submission(jobId, { candidate: candidate('unavailable@sandbox.example') }),
    );
    expect(reply.status).toBe(201);
  });
});
