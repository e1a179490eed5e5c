import type { Application, ApplicationId, ApplicationRepository } from '@partner-hiring/core/ports';
import type { Columns, JsonRows } from '../../dialect.js';
import type { Prepare } from '../../preparation.js';
import type { ApplicationTable, JsonText } from '../../schema.js';
import { define, type Param } from '../../statement.js';

type Progress = Pick<
  ApplicationTable,
  'id' | 'status' | 'stage' | 'submitted_at' | 'last_status_change_at' | 'changed_at'
>;

const PROGRESS_COLUMNS: Columns<Progress> = {
  id: 'text',
  status: 'text',
  stage: 'text',
  submitted_at: 'integer',
  last_status_change_at: 'integer',
  changed_at: 'integer',
};

/** What changes of applications: how far they have come, and what became of the résumé. */
export const prepareSaveApplications: Prepare<Pick<ApplicationRepository, 'saveProgress' | 'saveResume'>> = ({
  queries,
  items,
}) => {
  const saveProgress = define((param: Param<{ rows: JsonRows<Progress> }>) =>
    queries
      .updateTable('ph_application')
      .from(items(param('rows'), PROGRESS_COLUMNS))
      .set((eb) => ({
        status: eb.ref('item.status'),
        stage: eb.ref('item.stage'),
        submitted_at: eb.ref('item.submitted_at'),
        last_status_change_at: eb.ref('item.last_status_change_at'),
        changed_at: eb.ref('item.changed_at'),
      }))
      .whereRef('ph_application.id', '=', 'item.id'),
  );
  const saveResume = define((param: Param<{ id: ApplicationId; resume: JsonText }>) =>
    queries
      .updateTable('ph_application')
      .set({ resume: param('resume') })
      .where('id', '=', param('id')),
  );

  return (session) => ({
    saveProgress: (applications) =>
      session.write(async (run) => {
        await run.batch(saveProgress, applications.map(fromProgress), {});
      }),
    saveResume: (id, resume) =>
      session.write((run) => run.execute(saveResume, { id, resume: JSON.stringify(resume) })),
  });
};

function fromProgress(application: Application): Progress {
  return {
    id: application.id,
    status: application.status,
    stage: application.stage,
    submitted_at: application.submittedAt,
    last_status_change_at: application.lastStatusChangeAt,
    changed_at: application.changedAt,
  };
}
