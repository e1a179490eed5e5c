import type { ApplicationId, ResumeFileRepository, ResumeFileTask } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import { prepareClaimResumeFiles } from './resume-files/claim-resumes.js';

/** Résumés that are still to be fetched. */
export const prepareResumeFiles: Prepare<ResumeFileRepository> = (preparation) => {
  const { queries } = preparation;
  const bindClaims = prepareClaimResumeFiles(preparation);
  const add = define((param: Param<ResumeFileTask>) =>
    queries.insertInto('ph_resume_task').values((eb) => ({
      application_id: param('applicationId'),
      key_id: param('keyId'),
      url: param('url'),
      attempts: param('attempts'),
      due_at: param('dueAt'),
      lease_until: eb.lit(0),
    })),
  );
  const finish = define((param: Param<{ id: ApplicationId; token: string }>) =>
    queries
      .deleteFrom('ph_resume_task')
      .where('application_id', '=', param('id'))
      .where('lease_token', '=', param('token'))
      .returning(WRITTEN),
  );
  const postpone = define((param: Param<ResumeFileTask & { token: string }>) =>
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
      .where('lease_token', '=', param('token'))
      .returning(WRITTEN),
  );

  return (session) => ({
    ...bindClaims(session),
    add: (task) => session.write((run) => run.execute(add, task)),
    finish: (id, token) => session.write(async (run) => (await run.count(finish, { id, token })) === 1),
    postpone: (task, token) =>
      session.write(async (run) => (await run.count(postpone, { ...task, token })) === 1),
  });
};
