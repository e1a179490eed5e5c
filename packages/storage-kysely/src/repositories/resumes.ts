import type { ApplicationId, Instant, ResumeRepository, ResumeTask } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { JsonRows } from '../dialect.js';
import type { Prepare } from '../preparation.js';
import type { ResumeTaskTable } from '../schema.js';
import { define, type Param } from '../statement.js';

interface TaskItem {
  readonly application_id: ApplicationId;
}

interface DueParams {
  readonly now: Instant;
  readonly limit: number;
}

/** Résumés that are still to be fetched. */
export const prepareResumes: Prepare<ResumeRepository> = ({ queries, items, strings, lockFreeRows }) => {
  const add = define((param: Param<ResumeTask>) =>
    queries.insertInto('ph_resume_task').values((eb) => ({
      application_id: param('applicationId'),
      url: param('url'),
      attempts: param('attempts'),
      due_at: param('dueAt'),
      lease_until: eb.lit(0),
    })),
  );
  const selectDue = (param: Param<DueParams>) =>
    queries
      .selectFrom('ph_resume_task')
      .selectAll()
      .where('due_at', '<=', param('now'))
      .where('lease_until', '<=', param('now'))
      .orderBy('due_at')
      .orderBy('application_id')
      .limit(param('limit'))
      .$call(lockFreeRows);
  const findDue = define(selectDue);
  const findDueOfOthers = define((param: Param<DueParams & { beside: string }>) =>
    selectDue(param).where((where) =>
      where(
        where
          .selectFrom('ph_application')
          .select('key_id')
          .whereRef('id', '=', 'ph_resume_task.application_id'),
        'not in',
        where
          .selectFrom('ph_application as beside')
          .select('beside.key_id')
          .where(({ ref }) => sql<boolean>`${ref('beside.id')} in ${strings(param('beside'))}`),
      ),
    ),
  );
  const lease = define((param: Param<{ rows: JsonRows<TaskItem>; token: string; until: Instant }>) =>
    queries
      .updateTable('ph_resume_task')
      .from(items(param('rows'), { application_id: 'text' }))
      .set({ lease_token: param('token'), lease_until: param('until') })
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

  return (session) => ({
    add: (task) => session.write(async (run) => void (await run.changes(add, task))),
    claim: ({ token, until }, now, limit, beside = []) =>
      session.write(async (run) => {
        const due =
          beside.length === 0
            ? await run.all(findDue, { now, limit })
            : await run.all(findDueOfOthers, { now, limit, beside: JSON.stringify(beside) });
        const taken = due.map((row) => ({ application_id: row.application_id }));
        await run.batch(lease, taken, { token, until });
        return due.map(toTask);
      }),
    finish: (id, token) => session.write(async (run) => (await run.changes(finish, { id, token })) === 1),
    postpone: (task, token) =>
      session.write(async (run) => (await run.changes(postpone, { ...task, token })) === 1),
  });
};

function toTask(row: ResumeTaskTable): ResumeTask {
  return { applicationId: row.application_id, url: row.url, attempts: row.attempts, dueAt: row.due_at };
}
