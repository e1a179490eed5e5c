import { createPartner, submission } from '@partner-hiring/test-support/partner';
import { describe, expect, it } from 'vitest';
import {
  SANDBOX_JOBS,
  type SandboxJobName,
  sandboxJobId,
} from '../../../packages/core/src/features/sandbox/job-rules.js';
import { openProcesses, openSandbox, passFor, type SandboxStage } from './stage.js';

const sees = async ({ partner, job }: SandboxStage, name: SandboxJobName) => {
  const { data } = (await partner.get('/jobs')).json;
  return (data as readonly { readonly id: string }[]).some(({ id }) => id === job(name));
};

const LEAVING = [
  ['closing', 'closed_by_customer', 'JOB_CLOSED'],
  ['hiding', 'internal_sourcing_only', 'JOB_CLOSED'],
  ['leaving', 'access_revoked', 'ACCESS_REVOKED'],
] as const;

describe('the job', () => {
  it.each(LEAVING)(
    '%s leaves some seconds after an application, and returns a minute later',
    async (...row) => {
      const [name, reason, code] = row;
      const stage = await openSandbox();
      await stage.wait(120_000);
      expect(await sees(stage, name)).toBe(true);

      const { id } = (await stage.apply('ada@example.org', name)).json;
      await stage.wait(1_000);
      expect(await sees(stage, name)).toBe(true);
      await stage.wait(4_000);
      expect(await sees(stage, name)).toBe(false);
      expect((await stage.apply('ada@example.org', name)).json.error).toBe(code);
      expect((await stage.partner.get(`/applications/${id}`)).status).toBe(200);

      await stage.wait(62_000);
      expect(await sees(stage, name)).toBe(true);
      expect(stage.told()).toEqual([`job.closed ${reason}`, `job.opened ${stage.job(name)}`]);
      await stage.wait(120_000);
      expect(stage.told()).toHaveLength(2);
      expect((await stage.apply('ada@example.org', name)).status).toBe(201);
      await stage.wait(5_000);
      expect(await sees(stage, name)).toBe(false);
    },
  );

  it('that leaves does not affect others', async () => {
    const stage = await openSandbox();
    await stage.apply('ada@example.org', 'closing');
    await stage.wait(5_000);
    const left = Object.keys(SANDBOX_JOBS) as SandboxJobName[];
    const visible = await Promise.all(left.map((name) => sees(stage, name)));
    expect(left.filter((_, index) => visible[index])).toEqual(['open', 'form', 'hiding', 'leaving']);
  });

  it.each(['internal', 'former'] as const)('%s is never visible', async (name) => {
    const stage = await openSandbox();
    await stage.wait(120_000);
    expect(await sees(stage, name)).toBe(false);
  });

  it('does not return after an operator has archived it', async () => {
    const stage = await openSandbox();
    await stage.apply('ada@example.org', 'closing');
    await stage.wait(5_000);
    await stage.operator.jobs.archive({ id: stage.job('closing') as `job_${string}` });
    await stage.wait(120_000);
    expect(await sees(stage, 'closing')).toBe(false);
  });

  it('returns under workers that start later, and moves once with several workers', async () => {
    const processes = await openProcesses();
    const first = await processes.open();
    const partner = await createPartner(first, { sandbox: true });
    const jobId = sandboxJobId(partner.keyId, 'leaving');
    await partner.submit(submission(jobId));
    await passFor(processes.clock, [first], 5_000);
    expect((await partner.submit(submission(jobId))).json.error).toBe('ACCESS_REVOKED');

    // Longer than a starting worker reads back.
    await processes.clock.advance(10 * 24 * 3_600_000);
    const later = await Promise.all([processes.open(), processes.open()]);
    await passFor(processes.clock, later, 1_000);
    expect((await partner.submit(submission(jobId))).status).toBe(201);
    // Either worker may send an event, in any order.
    const told = () =>
      later
        .flatMap(({ transport }) => transport.events())
        .map(({ type }) => type)
        .sort();
    expect(told()).toEqual(['job.opened']);
    await passFor(processes.clock, later, 30_000);
    expect(told()).toEqual(['job.closed', 'job.opened']);
    await passFor(processes.clock, later, 40_000);
    expect(told()).toEqual(['job.closed', 'job.opened', 'job.opened']);
  });
});
