import type {
  ApplicationId,
  JobId,
  KeyId,
  RequestReads,
  RequestRecord,
  RequestRoute,
} from '@partner-hiring/core/ports';
import {
  choiceColumn,
  flagColumn,
  idColumn,
  instantColumn,
  integerColumn,
  json,
  table,
  textColumn,
} from '../../table.js';
import { rowsOf } from '../../table-rows.js';

/** The request log. */
export const REQUESTS = table('ph_request', rowsOf('log', ['request_id']), {
  request_id: textColumn(),
  at: instantColumn(),
  is_error: flagColumn().derived(({ code }: Pick<RequestRecord, 'code'>) => code !== null),
  key_id: idColumn<KeyId>().orNull(),
  client: textColumn().orNull(),
  method: textColumn(),
  route: choiceColumn<RequestRoute>().orNull(),
  status: integerColumn(),
  code: textColumn().orNull(),
  /** The names of fields, with their codes. */
  fields: json<readonly string[]>(),
  duration_ms: integerColumn(),
  application_id: idColumn<ApplicationId>().orNull(),
  job_id: idColumn<JobId>().orNull(),
  is_replay: flagColumn(),
  count: integerColumn(),
  last_at: instantColumn(),
});

type ReadPart<Field extends keyof RequestReads> = Pick<RequestReads, Field>;

/** Successful reads of a key, by route and minute. */
export const REQUEST_READS = table(
  'ph_request_read',
  rowsOf('log', ['key_id', 'route', 'minute']),
  {
    key_id: idColumn<KeyId>(),
    route: choiceColumn<RequestRoute>(),
    minute: instantColumn(),
    count: integerColumn(),
    last_at: instantColumn(),
    /** The minute again. */
    sweep_at: instantColumn().derived(({ minute }: ReadPart<'minute'>) => minute),
    last_request_id: textColumn(),
    read_after: instantColumn()
      .orNull()
      .derived(({ readRange }: ReadPart<'readRange'>) => readRange?.after ?? null),
    read_through: instantColumn()
      .orNull()
      .derived(({ readRange }: ReadPart<'readRange'>) => readRange?.through ?? null),
  },
  {
    readRange: ({ read_after: after, read_through: through }) =>
      after === null || through === null ? null : { after, through },
  },
);
