import type { JobId } from '../../../packages/core/src/domain/ids.js';
import { NO_SYNC } from '../../../packages/core/src/features/jobs-sync/rules.js';
import type { SourceJob } from '../../../packages/core/src/groups/jobs/source-job.js';
import { openStage, PICKER } from './stage.js';

/** Opens a stage for syncs. Runs are of the whole installation, so each story first empties it. */
export async function openSyncStage() {
  const stage = await openStage();
  const { operator, clock } = stage;
  const { direct } = stage.storage;

  let made = 0;

  async function newStory() {
    made += 1;
    await clearAll();
    const companyId = await stage.company();
    const keyId = await stage.key();
    await operator.access.grant({ keyId, companyId });
    const id = (name: string | number): JobId => `job_s${made}_${name}`;
    const row = (name: string | number, changes: Partial<SourceJob> = {}): SourceJob => ({
      ...PICKER,
      id: id(name),
      companyId,
      ...changes,
    });
    const rows = (count: number, changes: Partial<SourceJob> = {}) =>
      Array.from({ length: count }, (_, number) => row(number, changes));
    const states = async (...names: readonly (string | number)[]) =>
      (await direct.jobs.find(names.map(id))).map((job) => job?.state ?? null);
    const eventsOf = async () => (await stage.events(keyId)).map(({ type, data }) => `${type} ${data.jobId}`);
    return { companyId, keyId, id, row, rows, states, eventsOf };
  }

  /** Leaves no owned job open, and no run running or held. */
  async function clearAll(): Promise<void> {
    // What the next test does comes after what this one did, and leases have ended.
    await clock.advance(1_000);
    const open = [];
    for await (const job of operator.jobs.each({ state: 'open' })) if (job.syncedIn !== null) open.push(job);
    await operator.jobs.archive(open.map(({ id }) => ({ id })));
    await direct.jobSyncs.save(NO_SYNC);
    await direct.alerts.settle(
      (await direct.alerts.claim({ token: 'clear', forMs: 1 }, 100)).map(({ id }) => id),
      'clear',
    );
  }

  /** Returns the alerts about syncs since the story began or this was last called. */
  async function syncAlerts() {
    const alerts = await direct.alerts.claim({ token: 'mine', forMs: 1 }, 100);
    await direct.alerts.settle(
      alerts.map(({ id }) => id),
      'mine',
    );
    return alerts;
  }

  async function heldAlerts() {
    return (await syncAlerts()).filter(({ kind }) => kind === 'jobs_sync_held');
  }

  return { stage, operator, clock, direct, newStory, syncAlerts, heldAlerts };
}
