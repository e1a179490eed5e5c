import type { ApplicationId, Instant, Lease, ResumeRepository, ResumeTask } from '@partner-hiring/core/ports';
import type { JsonRows } from '../dialect.js';
import { leaseClock, leaseEnd } from '../lease-clock.js';
import type { Prepare } from '../preparation.js';
import type { ResumeTaskTable } from '../schema.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';
import { prepareTakeOfOthers } from './resumes/resumes-of-others.js';

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

/** Résumés that are still to be fetched. */
export const prepareResumes: Prepare<ResumeRepository> = (preparation) => {
  const { queries, items, lockFreeRows, now } = preparation;
  const add = define((param: Param<ResumeTask>) =>
    queries.insertInto('ph_resume_task').values((eb) => ({
      application_id: param('applicationId'),
      key_id: param('keyId'),
      url: param('url'),
      attempts: param('attempts'),
      due_at: param('dueAt'),
      lease_until: eb.lit(0),
    })),
  );
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
  const finish = define((param: Param<{ id: ApplicationId; token: string }>) =>
    queries
      .deleteFrom('ph_resume_task')
      .where('application_id', '=', param('id'))
      .where('lease_token', '=', param('token')),
  );
  const postpone = define((param: Param<ResumeTask & { token: string }>) =>
    queries
      .updateTable('ph_resume_task')
      .set((eb) => ({
        url: param('url'),
        attempts: param('attempts'),
        due_at: param('dueAt'),
        lease_token: null,
        lease_until: eb.lit(0),
      }))
      .where('application_id', '=', param('applicationId'))
      .where('lease_token', '=', param('token')),
  );

  async function leaseAll(run: Run, due: readonly ResumeTaskTable[], { token, forMs }: Lease) {
    const taken = due.map((row) => ({ application_id: row.application_id }));
    await run.batch(lease, taken, { token, forMs, now: now() });
    return due.map(toTask);
  }

  return (session) => ({
    add: (task) => session.write(async (run) => void (await run.changes(add, task))),
    claim: (lease, dueBy, limit) =>
      session.write(async (run) =>
        leaseAll(run, await run.all(findDue, { dueBy, now: now(), limit }), lease),
      ),
    claimOfOthers: (lease, dueBy, limit, keys) =>
      session.write(async (run) => leaseAll(run, await takeOfOthers(run, dueBy, limit, keys), lease)),
    finish: (id, token) => session.write(async (run) => (await run.changes(finish, { id, token })) === 1),
    postpone: (task, token) =>
      session.write(async (run) => (await run.changes(postpone, { ...task, token })) === 1),
  });
};

function toTask(row: ResumeTaskTable): ResumeTask {
  const { application_id: applicationId, key_id: keyId, url, attempts, due_at: dueAt } = row;
  return { applicationId, keyId, url, attempts, dueAt };
}
