import type {
  Act,
  Actor,
  ApplicationId,
  AuditFields,
  AuditId,
  AuditObject,
  AuditObjectKind,
  Door,
  Environment,
  HourCount,
  HourCountKind,
  JobId,
  KeyId,
  OperationId,
  OperationPlan,
  OperationState,
  ReadinessName,
  RequestReads,
  RequestRecord,
  RequestRoute,
  SyncCounts,
  WorkerId,
  WorkerSealing,
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
} from '../table.js';

/** One row for each object of an audit entry. The row of the main object has the number 0. */
export const AUDIT = table('ph_audit', {
  id: idColumn<AuditId>(),
  number: integerColumn().hidden(),
  at: instantColumn(),
  actor_id: textColumn().at('actor.id'),
  actor_name: textColumn().orNull().at('actor.name'),
  reason: textColumn().orNull().at('actor.reason'),
  door: choiceColumn<Door>().at('actor.door'),
  act: choiceColumn<Act>(),
  object_kind: choiceColumn<AuditObjectKind>().hidden(),
  object_id: textColumn().hidden(),
  objects: json<readonly AuditObject[]>(),
  key_id: idColumn<KeyId>().orNull(),
  count: integerColumn().orNull(),
  filter: json<AuditFields>().orNull(),
  before: json<AuditFields>().orNull(),
  after: json<AuditFields>().orNull(),
});

/** Releases without an audit did not record who started an operation. */
const OLD_STARTER: Actor = { id: 'host', name: null, reason: null, door: 'library' };

/** Operations of the host. `due_at` is when the next step may run. */
export const OPERATIONS = table('ph_operation', {
  id: idColumn<OperationId>().at('operation.id'),
  plan: json<OperationPlan>().at('operation.plan'),
  started_by: json<Actor>()
    .orNull()
    .as<Actor>({
      encode: JSON.stringify,
      decode: (stored) => (stored === null ? OLD_STARTER : JSON.parse(stored)),
    })
    .at('operation.startedBy'),
  state: choiceColumn<OperationState>().at('operation.state'),
  /** The step's own JSON. */
  position: textColumn().orNull(),
  done: integerColumn().at('operation.counts.done'),
  skipped: integerColumn().at('operation.counts.skipped'),
  total: integerColumn().orNull().at('operation.counts.total'),
  sync: json<SyncCounts>().orNull().at('operation.sync'),
  failures: integerColumn(),
  last_error: textColumn().orNull().at('operation.lastError'),
  created_at: instantColumn().at('operation.createdAt'),
  due_at: instantColumn(),
  updated_at: instantColumn().at('operation.updatedAt'),
  finished_at: instantColumn().orNull().at('operation.finishedAt'),
});

/** The state of the syncs of jobs. Its only row has the name `jobs`. */
export const JOB_SYNCS = table('ph_job_sync', {
  name: choiceColumn<'jobs'>().hidden(),
  operation_id: idColumn<OperationId>().orNull(),
  due_at: instantColumn().orNull(),
  apply_up_to: integerColumn().orNull(),
  is_held: flagColumn(),
  failures: integerColumn(),
  good_at: instantColumn().orNull(),
  refused_rows: integerColumn(),
  held_jobs: integerColumn(),
});

/** The inputs of an operation's steps, each with its own JSON. */
export const OPERATION_INPUTS = table('ph_operation_input', {
  operation_id: idColumn<OperationId>(),
  number: integerColumn(),
  input: textColumn(),
});

/** Requests counted in each minute of each bucket. */
export const RATE_WINDOWS = table('ph_rate_window', {
  window_start: instantColumn(),
  bucket_id: textColumn(),
  count: integerColumn(),
});

/** The request log. */
export const REQUESTS = table('ph_request', {
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

/** What keys have proved for their go-live. */
export const READINESS = table('ph_readiness', {
  key_id: idColumn<KeyId>(),
  name: choiceColumn<ReadinessName>(),
  first_at: instantColumn(),
  first_id: textColumn(),
  last_at: instantColumn(),
  last_id: textColumn(),
  fault: textColumn().orNull(),
});

/** The deployment that the database belongs to. The table is empty if it has no name, and otherwise has the row 1. */
export const DEPLOYMENT = table('ph_deployment', {
  id: integerColumn().hidden(),
  name: textColumn(),
  named_at: instantColumn(),
  /** On a server, its system and the database. Of a file, its path. */
  place: textColumn().hidden(),
  /** The inode of a file. Null on a server. */
  inode: textColumn().orNull().hidden(),
});

/** Started workers. */
export const WORKERS = table('ph_worker', {
  id: idColumn<WorkerId>(),
  name: textColumn(),
  pid: integerColumn(),
  release: textColumn(),
  deployment: textColumn().orNull(),
  started_at: instantColumn(),
  last_seen_at: instantColumn(),
  /** When its last sweep ended. */
  swept_at: instantColumn().orNull().at('lastSweepAt'),
  /** When an idle worker wakes. Null while it polls. */
  sleeps_until: instantColumn().orNull(),
  /** What it says about signing secrets. */
  sealing: json<WorkerSealing>().orNull(),
});

/** Counts for each hour. */
export const HOUR_COUNTS = table('ph_hour_count', {
  kind: choiceColumn<HourCountKind>(),
  /** An environment for the sum of its keys; empty for the sum of all keys. */
  key_id: idColumn<KeyId | Environment | ''>().as<HourCount['keyId']>({
    encode: (keyId) => keyId ?? '',
    decode: (stored) => (stored === '' ? null : stored),
  }),
  hour: instantColumn(),
  name: textColumn(),
  count: integerColumn(),
});

/** The applied migrations. Each storage creates this table itself. */
export const SCHEMA_MIGRATIONS = table('ph_schema_migration', { version: integerColumn() });
