import type {
  ApplicationId,
  Instant,
  Lease,
  ResumeFileRepository,
  ResumeFileTask,
} from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { leaseClock, leaseEnd } from '../../lease-clock.js';
import type { Prepare } from '../../preparation.js';
import type { ResumeFileTaskTable } from '../../schema.js';
import type { Run } from '../../session.js';
import { define, type Param } from '../../statement.js';
import { prepareTakeOfOthers } from './resumes-of-others.js';

interface TaskItem {
  readonly application_id: ApplicationId;
}

interface TakenRows extends Lease {
  readonly rows: JsonRows<TaskItem>;
  readonly now: Instant;
}

interface DueParams {
  readonly dueBy: Instant;
  readonly now: Instant;
  readonly limit: number;
}

/** Leases of résumés: those that are due the longest, or one of each key but some. */
export const prepareClaimResumeFiles: Prepare<Pick<ResumeFileRepository, 'claim' | 'claimOfOthers'>> = (
  preparation,
) => {
  const { queries, items, lockFreeRows, now } = preparation;
  const findDue = define((param: Param<DueParams>) =>
    queries
      .selectFrom('ph_resume_task')
      .selectAll()
      .where('due_at', '<=', param('dueBy'))
      .where('lease_until', '<=', leaseClock(preparation, param('now')))
      .orderBy('due_at')
      .orderBy('application_id')
      .limit(param('limit'))
      .$call(lockFreeRows),
  );
  const takeOfOthers = prepareTakeOfOthers(preparation);
  const lease = define((param: Param<TakenRows>) =>
    queries
      .updateTable('ph_resume_task')
      .from(items(param('rows'), { application_id: 'text' }))
      .set({
        lease_token: param('token'),
        lease_until: leaseEnd(preparation, param('now'), param('forMs')),
      })
      .whereRef('ph_resume_task.application_id', '=', 'item.application_id'),
  );

  async function leaseAll(run: Run, due: readonly ResumeFileTaskTable[], { token, forMs }: Lease) {
    const taken = due.map((row) => ({ application_id: row.application_id }));
    await run.batch(lease, taken, { token, forMs, now: now() });
    return due.map(toTask);
  }

  return (session) => ({
    claim: (lease, dueBy, limit) =>
      session.write(async (run) =>
        leaseAll(run, await run.all(findDue, { dueBy, now: now(), limit }), lease),
      ),
    claimOfOthers: (lease, dueBy, limit, keys) =>
      session.write(async (run) => leaseAll(run, await takeOfOthers(run, dueBy, limit, keys), lease)),
  });
};

function toTask(row: ResumeFileTaskTable): ResumeFileTask {
  const { application_id: applicationId, key_id: keyId, url, attempts, due_at: dueAt } = row;
  return { applicationId, keyId, url, attempts, dueAt };
}
