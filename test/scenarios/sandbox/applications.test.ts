import { skewClock } from '@partner-hiring/test-support/clock';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { describe, expect, it } from 'vitest';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import {
  SANDBOX_ADDRESSES,
  type SandboxAddressName,
  type SandboxScript,
} from '../../../packages/core/src/features/sandbox/address-rules.js';
import { sandboxJobId } from '../../../packages/core/src/features/sandbox/job-rules.js';
import { SANDBOX_STAGE_MS } from '../../../packages/core/src/features/sandbox/step-rules.js';
import { candidate, openProcesses, openSandbox, passFor } from './stage.js';

const ENDS: Partial<Record<SandboxAddressName, readonly [status: string, stage: string]>> = {
  accepted: ['accepted', 'Hired'],
  rejected: ['rejected', 'Closed'],
  'stuck-in-initial-outreach': ['received', 'Initial Outreach'],
  'stuck-in-video-interview': ['in_progress', 'Video Interview'],
  'stuck-in-under-review': ['in_progress', 'Under Review'],
  'stuck-in-final-review': ['in_progress', 'Final Review'],
};
const MOVING = Object.entries<SandboxScript>(SANDBOX_ADDRESSES)
  .filter(([, { kind }]) => kind === 'moves')
  .map(([name]) => name as SandboxAddressName);

describe('the application of a candidate', () => {
  it.each(MOVING)('with the address %s moves to its end on its own, and stays there', async (name) => {
    const stage = await openSandbox();
    const { id } = (await stage.apply(`${name}@sandbox.example`)).json;
    await stage.wait(10_000);
    const read = async () => (await stage.partner.get(`/applications/${id}`)).json;
    const end = ENDS[name];
    expect(await read()).toMatchObject({ status: end?.[0], currentStage: end?.[1] });
    const decided = end?.[0] === 'accepted' || end?.[0] === 'rejected';
    expect(stage.told()).toEqual(decided ? [`application.status_changed ${end[0]}`] : []);
    await stage.wait(120_000);
    expect(await read()).toMatchObject({ status: end?.[0], currentStage: end?.[1] });
  });

  it('passes every stage', async () => {
    const stage = await openSandbox();
    const { id } = (await stage.apply('accepted@sandbox.example')).json;
    const stages = new Set<unknown>();
    for (let second = 0; second < 10; second += 1) {
      stages.add((await stage.partner.get(`/applications/${id}`)).json.currentStage);
      await stage.wait(1_000);
    }
    expect([...stages]).toEqual([
      'Initial Outreach',
      'Video Interview',
      'Under Review',
      'Final Review',
      'Hired',
    ]);
  });

  it('accepts any tag after a plus sign, in any letter case', async () => {
    const stage = await openSandbox();
    for (const email of ['accepted+1@sandbox.example', 'Accepted+Ada.Reyes@Sandbox.Example']) {
      expect((await stage.apply(email)).status).toBe(201);
    }
    await stage.wait(10_000);
    expect((await stage.partner.get('/applications?status=accepted')).json.data).toHaveLength(2);
  });

  it.each(['accepted@example.org', 'ada@example.org', 'accepted@sandbox.example.org'])(
    'with the address %s stays until the host moves it',
    async (email) => {
      const stage = await openSandbox();
      const { id } = (await stage.apply(email)).json;
      await stage.wait(10_000);
      const read = await stage.partner.get(`/applications/${id}`);
      expect(read.json.currentStage).toBe('Initial Outreach');
    },
  );

  it('continues from where an operator moved it, and never goes back', async () => {
    const stage = await openSandbox();
    const { id } = (await stage.apply('accepted@sandbox.example')).json;
    await stage.operator.applications.move({ id: id as `ej_app_1`, stage: 'final_review' });
    await stage.wait(2_000);
    expect((await stage.partner.get(`/applications/${id}`)).json.status).toBe('accepted');

    const stuck = (await stage.apply('stuck-in-video-interview@sandbox.example')).json.id;
    await stage.operator.applications.move({ id: stuck as `ej_app_1`, stage: 'under_review' });
    await stage.wait(10_000);
    expect((await stage.partner.get(`/applications/${stuck}`)).json.currentStage).toBe('Under Review');
  });

  it('follows its script at a sandbox company of the host too', async () => {
    const stage = await openSandbox();
    const { jobId } = await createEmployer(stage, stage.partner, { sandbox: true });
    const body = submission(jobId, { candidate: candidate('rejected@sandbox.example') });
    const { id } = (await stage.partner.submit(body)).json;
    await stage.wait(10_000);
    expect((await stage.partner.get(`/applications/${id}`)).json.status).toBe('rejected');
  });
});

describe('workers', () => {
  it('that start later continue', async () => {
    const processes = await openProcesses();
    const first = await processes.open();
    const partner = await createPartner(first, { sandbox: true });
    const { jobId } = await createEmployer(first, partner, { sandbox: true });
    const body = submission(jobId, { candidate: candidate('accepted@sandbox.example') });
    const { id } = (await partner.submit(body)).json;
    await passFor(processes.clock, [first], 2_500);
    const status = async () => (await partner.get(`/applications/${id}`)).json.status;
    expect(await status()).toBe('in_progress');

    await processes.clock.advance(24 * 3_600_000);
    expect(await status()).toBe('in_progress');
    await passFor(processes.clock, [await processes.open()], 5_000);
    expect(await status()).toBe('accepted');
  });

  it('of several processes run each step once and on time', async () => {
    const processes = await openProcesses();
    const fixtures = await Promise.all([processes.open(), processes.open(), processes.open()]);
    const [first] = fixtures;
    const partner = await createPartner(first, { sandbox: true });
    const { jobId } = await createEmployer(first, partner, { sandbox: true });
    const applied = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        partner.submit(submission(jobId, { candidate: candidate(`accepted+${index}@sandbox.example`) })),
      ),
    );
    expect(applied.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const order = ['Initial Outreach', 'Video Interview', 'Under Review', 'Final Review', 'Hired'];
    let before = Array<number>(8).fill(0);
    for (let look = 0; look < 20; look += 1) {
      await passFor(processes.clock, fixtures, 500);
      const rows = (await partner.get('/applications')).json.data as readonly Record<string, unknown>[];
      const now = applied.map(({ json }) =>
        order.indexOf(String(rows.find(({ id }) => id === json.id)?.currentStage)),
      );
      const steps = now.map((stage, index) => stage - (before[index] ?? 0));
      expect(steps.filter((step) => step !== 0 && step !== 1)).toEqual([]);
      before = now;
    }
    expect(before).toEqual(Array(8).fill(4));
    const told = fixtures.flatMap(({ transport }) => transport.events());
    expect(told.filter(({ type }) => type === 'application.status_changed')).toHaveLength(8);
  });

  it.each([700, 3_600_000])('run every step if the clock is set back by %i ms', async (ms) => {
    const stage = await openSandbox();
    const { id } = (await stage.apply('accepted@sandbox.example')).json;
    await stage.wait(2_000);
    stage.clock.setBack(ms);
    await stage.wait(10_000);
    expect((await stage.partner.get(`/applications/${id}`)).json.status).toBe('accepted');
    await stage.apply('ada@example.org', 'closing');
    await stage.wait(70_000);
    const [closed, opened] = ['job.closed closed_by_customer', `job.opened ${stage.job('closing')}`];
    expect(stage.told().slice(1)).toEqual([closed, opened]);
  });

  it.each([-60_000, 60_000])('with a clock that is %i ms off run each step on time', async (ms) => {
    const processes = await openProcesses();
    const { clock } = processes;
    const partner = await createPartner(await processes.open(), { sandbox: true });
    const off = await processes.open({ runtime: { ...createSystemRuntime(), clock: skewClock(clock, ms) } });
    // The stamps of its jobs run some milliseconds ahead.
    await passFor(clock, [off], SANDBOX_STAGE_MS);
    const body = submission(sandboxJobId(partner.keyId, 'open'), {
      candidate: candidate('accepted@sandbox.example'),
    });
    const { id } = (await partner.submit(body)).json;
    const currentStage = async () => (await partner.get(`/applications/${id}`)).json.currentStage;
    for (const stage of ['Video Interview', 'Under Review', 'Final Review', 'Hired']) {
      const before = await currentStage();
      await passFor(clock, [off], SANDBOX_STAGE_MS - 10);
      expect(await currentStage()).toBe(before);
      await passFor(clock, [off], 10);
      expect(await currentStage()).toBe(stage);
    }
  });

  it('process a sandbox of many pages', async () => {
    const processes = await openProcesses();
    const first = await processes.open({ limits: { submit_application: 1_000 } });
    const partner = await createPartner(first, { sandbox: true, endpoint: false });
    const { jobId } = await createEmployer(first, partner, { sandbox: true });
    const submit = (email: string) => partner.submit(submission(jobId, { candidate: candidate(email) }));
    await Promise.all(Array.from({ length: 450 }, () => submit('ada@example.org')));
    const { id } = (await submit('rejected@sandbox.example')).json;
    await passFor(processes.clock, [await processes.open()], 8_000);
    expect((await partner.get(`/applications/${id}`)).json.status).toBe('rejected');
  });
});
