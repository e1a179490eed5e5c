import { setTimeout } from 'node:timers/promises';
import type { PartnerHiringOptions, Storage } from '@partner-hiring/core';
import { createFakeClock, type FakeClock, passUntil } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createPartner, submission } from '@partner-hiring/test-support/partner';
import { createTestDatabase, type HostTransaction } from '@partner-hiring/test-support/storages';
import { onTestFinished } from 'vitest';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { type SandboxJobName, sandboxJobId } from '../../../packages/core/src/features/sandbox/job-rules.js';

/** Processes with one database and one clock. */
export type Processes = Awaited<ReturnType<typeof openProcesses>>;

/** Opens a database for one test. */
export async function openProcesses() {
  const database = await createTestDatabase();
  const clock = createFakeClock();
  const fixtures: Fixture[] = [];
  onTestFinished(async () => {
    await Promise.all(fixtures.map((fixture) => fixture.close()));
    await database.remove();
  });
  return {
    clock,
    /** Opens another process, by default with the sandbox. */
    open: async (options: Partial<PartnerHiringOptions<HostTransaction>> = {}) => {
      const storage: Storage<HostTransaction> = await database.open(clock);
      const runtime = { ...createSystemRuntime(), clock };
      const fixture = await createFixture({ sandbox: true, storage, runtime, ...options });
      fixtures.push(fixture);
      return fixture;
    },
  };
}

/** A host with the sandbox, and a partner with a sandbox key. */
export type SandboxStage = Awaited<ReturnType<typeof openSandbox>>;

/** Opens the stage, and clears the events of the key's issue. */
export async function openSandbox() {
  const processes = await openProcesses();
  const fixture = await processes.open();
  const { clock } = processes;
  const partner = await createPartner(fixture, { sandbox: true });
  await fixture.partnerHiring.worker.drain();
  const before = fixture.transport.attempts.length;
  const job = (name: SandboxJobName) => sandboxJobId(partner.keyId, name);
  return {
    ...fixture,
    clock,
    partner,
    /** The id of a sandbox job of the key. */
    job,
    /** Submits a candidate with an address to a sandbox job of the key. */
    apply: (email: string, name: SandboxJobName = 'open') =>
      partner.submit(submission(job(name), { candidate: candidate(email) })),
    /** Passes time, with a worker that polls every second. */
    wait: (ms: number) => passFor(clock, [fixture], ms),
    /** The sent events, as type and job, or type and new status. */
    told: () =>
      fixture.transport
        .events()
        .slice(before)
        .map(({ type, data }) => `${type} ${data.newStatus ?? data.reason ?? data.jobId}`),
  };
}

/** The poll interval of a started worker. */
const LOOK_MS = 1_000;

/** Drains take less, also on a busy machine. */
const STUCK_AFTER_MS = 5_000;

/** Passes time for several processes. */
export async function passFor(clock: FakeClock, fixtures: readonly Fixture[], ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= LOOK_MS) {
    await clock.advance(Math.min(LOOK_MS, left));
    const drained = Promise.all(fixtures.map(({ partnerHiring }) => partnerHiring.worker.drain()));
    const isOver = await Promise.race([
      drained.then(() => true),
      setTimeout(STUCK_AFTER_MS, false, { ref: false }),
    ]);
    // A worker that meets the lock of another one waits for the clock.
    if (!isOver) await passUntil(clock, drained);
  }
}

/** A candidate with an address. */
export function candidate(email: string) {
  return { firstName: 'Ada', lastName: 'Lovelace', email, phone: '+14155550123' };
}
