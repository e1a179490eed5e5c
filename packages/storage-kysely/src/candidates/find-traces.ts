import type { ApplicationId, CandidateRepository } from '@partner-hiring/core/ports';
import { forEachItem, lookUpEach, prepareFindEach } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { IS_REFUSED_OR_BEHIND, toListed } from '../inbox/inbox-rows.js';
import { inOrder } from '../mapping.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import type { Row } from '../table.js';
import { EVENTS, IDEMPOTENCY, type INBOX_ENTRIES, RESUME_TASKS } from '../tables/index.js';

export interface TracedItem {
  readonly id: ApplicationId;
}

type Traces = 'findRecords' | 'findEvents' | 'findResumeFiles' | 'listPostponed';

/** Finds rows about an application in other tables. */
export const prepareTraces: Prepare<Pick<CandidateRepository, Traces>> = (preparation) => {
  const { queries } = preparation;
  const findRecords = define((param: Param<{ rows: JsonRows<TracedItem> }>) =>
    lookUpEach<TracedItem, Row<typeof IDEMPOTENCY>>(
      preparation,
      param('rows'),
      { id: 'text' },
      (item) =>
        queries
          .selectFrom('ph_application as application')
          .innerJoin('ph_idempotency as record', (join) =>
            join
              .onRef('record.key_id', '=', 'application.key_id')
              .onRef('record.idempotency_key', '=', 'application.idempotency_key')
              .onRef('record.application_id', '=', 'application.id'),
          )
          .selectAll('record')
          .where('application.id', '=', item('id')) as never,
    ),
  );
  const findEvents = prepareFindEach(preparation, EVENTS, ['key_id', 'at']);
  const findResumeFiles = define((param: Param<{ rows: JsonRows<TracedItem> }>) =>
    lookUpEach(preparation, param('rows'), { id: 'text' }, (item) =>
      queries.selectFrom('ph_resume_task').selectAll().where('application_id', '=', item('id')),
    ),
  );
  const listPostponed = define((param: Param<{ rows: JsonRows<TracedItem> }>) =>
    forEachItem<TracedItem, Row<typeof INBOX_ENTRIES>>(
      preparation,
      param('rows'),
      { id: 'text' },
      (item) =>
        queries
          .selectFrom('ph_inbox_entry')
          .selectAll()
          .where('application_id', '=', item('id'))
          .where(IS_REFUSED_OR_BEHIND) as never,
    ),
  );

  return {
    findRecords: (session, applications) =>
      session.read(async (run) => {
        const ids = applications.map(({ id }) => id);
        const { rows } = await run.batch(
          findRecords,
          ids.map((id) => ({ id })),
          {},
        );
        return inOrder(ids, rows, (row) => row.application_id, IDEMPOTENCY.toValue);
      }),
    findEvents,
    findResumeFiles: (session, ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          findResumeFiles,
          ids.map((id) => ({ id })),
          {},
        );
        return inOrder(ids, rows, (row) => row.application_id, RESUME_TASKS.toValue);
      }),
    listPostponed: (session, ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          listPostponed,
          ids.map((id) => ({ id })),
          {},
        );
        return rows.map(toListed);
      }),
  };
};
