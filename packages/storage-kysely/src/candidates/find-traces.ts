import type {
  ApplicationId,
  CandidateRepository,
  Instant,
  KeyId,
  ResumeFileTask,
} from '@partner-hiring/core/ports';
import type { Selectable } from 'kysely';
import { forEachItem, lookUpEach } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { inOrder, pairKey } from '../in-order.js';
import { toPostponed } from '../inbox/inbox-rows.js';
import type { Prepare } from '../preparation.js';
import type { IdempotencyTable, InboxEntryTable } from '../schema.js';
import { define, type Param } from '../statement.js';
import { toRecord } from '../submissions/submission-rows.js';

export interface ApplicationItem {
  readonly id: ApplicationId;
}

interface StampItem {
  readonly key_id: KeyId;
  readonly at: Instant;
}

type Traces = 'findRecords' | 'findEvents' | 'findResumeFiles' | 'listPostponed';

/** Finds rows about an application in other tables. */
export const prepareTraces: Prepare<Pick<CandidateRepository, Traces>> = (preparation) => {
  const { queries } = preparation;
  const findRecords = define((param: Param<{ rows: JsonRows<ApplicationItem> }>) =>
    lookUpEach<ApplicationItem, IdempotencyTable>(
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
  const findEvents = define((param: Param<{ rows: JsonRows<StampItem> }>) =>
    lookUpEach(preparation, param('rows'), { key_id: 'text', at: 'integer' }, (item) =>
      queries
        .selectFrom('ph_event')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        .where('at', '=', item('at')),
    ),
  );
  const findResumeFiles = define((param: Param<{ rows: JsonRows<ApplicationItem> }>) =>
    lookUpEach(preparation, param('rows'), { id: 'text' }, (item) =>
      queries.selectFrom('ph_resume_task').selectAll().where('application_id', '=', item('id')),
    ),
  );
  const listPostponed = define((param: Param<{ rows: JsonRows<ApplicationItem> }>) =>
    forEachItem<ApplicationItem, Selectable<InboxEntryTable>>(
      preparation,
      param('rows'),
      { id: 'text' },
      (item) =>
        queries
          .selectFrom('ph_inbox_entry')
          .selectAll()
          .where('application_id', '=', item('id'))
          .where('retry_at', 'is not', null) as never,
    ),
  );

  return (session) => ({
    findRecords: (applications) =>
      session.read(async (run) => {
        const ids = applications.map(({ id }) => id);
        const { rows } = await run.batch(
          findRecords,
          ids.map((id) => ({ id })),
          {},
        );
        return inOrder(ids, rows, (row) => row.application_id, toRecord);
      }),
    findEvents: (stamps) =>
      session.read(async (run) => {
        const asked = stamps.map(({ keyId, at }) => ({ key_id: keyId, at }));
        const { rows } = await run.batch(findEvents, asked, {});
        const keys = asked.map(({ key_id, at }) => pairKey(key_id, String(at)));
        return inOrder(
          keys,
          rows,
          (row) => pairKey(row.key_id, String(row.at)),
          ({ id, key_id: keyId, type, at, body }) => ({ id, keyId, type, at, body }),
        );
      }),
    findResumeFiles: (ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          findResumeFiles,
          ids.map((id) => ({ id })),
          {},
        );
        return inOrder(
          ids,
          rows,
          (row) => row.application_id,
          (row): ResumeFileTask => ({
            applicationId: row.application_id,
            keyId: row.key_id,
            url: row.url,
            attempts: row.attempts,
            dueAt: row.due_at,
          }),
        );
      }),
    listPostponed: (ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          listPostponed,
          ids.map((id) => ({ id })),
          {},
        );
        return rows.map(toPostponed);
      }),
  });
};
