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
import { flag, id, instant, integer, json, oneOf, table, text } from '../table.js';

/** One row for each object of an audit entry. The row of the main object has the number 0. */
export const AUDIT = table('ph_audit', {
  id: id<AuditId>(),
  number: integer().hidden(),
  at: instant(),
  actor_id: text().at('actor.id'),
  actor_name: text().orNull().at('actor.name'),
  reason: text().orNull().at('actor.reason'),
  door: oneOf<Door>().at('actor.door'),
  act: oneOf<Act>(),
  object_kind: oneOf<AuditObjectKind>().hidden(),
  object_id: text().hidden(),
  objects: json<readonly AuditObject[]>(),
  key_id: id<KeyId>().orNull(),
  count: integer().orNull(),
  filter: json<AuditFields>().orNull(),
  before: json<AuditFields>().orNull(),
  after: json<AuditFields>().orNull(),
});

/** Releases without an audit did not record who started an operation. */
const OLD_STARTER: Actor = { id: 'host', name: null, reason: null, door: 'library' };

/** Operations of the host. `due_at` is when the next step may run. */
export const OPERATIONS = table('ph_operation', {
  id: id<OperationId>().at('operation.id'),
  plan: json<OperationPlan>().at('operation.plan'),
  started_by: json<Actor>()
    .orNull()
    .as<Actor>({
      encode: JSON.stringify,
      decode: (stored) => (stored === null ? OLD_STARTER : JSON.parse(stored)),
    })
    .at('operation.startedBy'),
  state: oneOf<OperationState>().at('operation.state'),
  /** The step's own JSON. */
  position: text().orNull(),
  done: integer().at('operation.counts.done'),
  skipped: integer().at('operation.counts.skipped'),
  total: integer().orNull().at('operation.counts.total'),
  sync: json<SyncCounts>().orNull().at('operation.sync'),
  failures: integer(),
  last_error: text().orNull().at('operation.lastError'),
  created_at: instant().at('operation.createdAt'),
  due_at: instant(),
  updated_at: instant().at('operation.updatedAt'),
  finished_at: instant().orNull().at('operation.finishedAt'),
});

/** The state of the syncs of jobs. Its only row has the name `jobs`. */
export const JOB_SYNCS = table('ph_job_sync', {
  name: oneOf<'jobs'>().hidden(),
  operation_id: id<OperationId>().orNull(),
  due_at: instant().orNull(),
  apply_up_to: integer().orNull(),
  is_held: flag(),
  failures: integer(),
  good_at: instant().orNull(),
  refused_rows: integer(),
  held_jobs: integer(),
});

/** The inputs of an operation's steps, each with its own JSON. */
export const OPERATION_INPUTS = table('ph_operation_input', {
  operation_id: id<OperationId>(),
  number: integer(),
  input: text(),
});

/** Requests counted in each minute of each bucket. */
export const RATE_WINDOWS = table('ph_rate_window', {
  window_start: instant(),
  bucket_id: text(),
  count: integer(),
});

/** The request log. */
export const REQUESTS = table('ph_request', {
  request_id: text(),
  at: instant(),
  is_error: flag().derived(({ code }: Pick<RequestRecord, 'code'>) => code !== null),
  key_id: id<KeyId>().orNull(),
  client: text().orNull(),
  method: text(),
  route: oneOf<RequestRoute>().orNull(),
  status: integer(),
  code: text().orNull(),
  /** The names of fields, with their codes. */
  fields: json<readonly string[]>(),
  duration_ms: integer(),
  application_id: id<ApplicationId>().orNull(),
  job_id: id<JobId>().orNull(),
  is_replay: flag(),
  count: integer(),
  last_at: instant(),
});

type ReadPart<Field extends keyof RequestReads> = Pick<RequestReads, Field>;

/** Successful reads of a key, by route and minute. */
export const REQUEST_READS = table(
  'ph_request_read',
  {
    key_id: id<KeyId>(),
    route: oneOf<RequestRoute>(),
    minute: instant(),
    count: integer(),
    last_at: instant(),
    /** The minute again. */
    sweep_at: instant().derived(({ minute }: ReadPart<'minute'>) => minute),
    last_request_id: text(),
    read_after: instant()
      .orNull()
      .derived(({ readRange }: ReadPart<'readRange'>) => readRange?.after ?? null),
    read_through: instant()
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
  key_id: id<KeyId>(),
  name: oneOf<ReadinessName>(),
  first_at: instant(),
  first_id: text(),
  last_at: instant(),
  last_id: text(),
  fault: text().orNull(),
});

/** The deployment that the database belongs to. The table is empty if it has no name, and otherwise has the row 1. */
export const DEPLOYMENT = table('ph_deployment', {
  id: integer().hidden(),
  name: text(),
  named_at: instant(),
  /** On a server, its system and the database. Of a file, its path. */
  place: text().hidden(),
  /** The inode of a file. Null on a server. */
  inode: text().orNull().hidden(),
});

/** Started workers. */
export const WORKERS = table('ph_worker', {
  id: id<WorkerId>(),
  name: text(),
  pid: integer(),
  release: text(),
  deployment: text().orNull(),
  started_at: instant(),
  last_seen_at: instant(),
  /** When its last sweep ended. */
  swept_at: instant().orNull().at('lastSweepAt'),
  /** When an idle worker wakes. Null while it polls. */
  sleeps_until: instant().orNull(),
  /** What it says about signing secrets. */
  sealing: json<WorkerSealing>().orNull(),
});

/** Counts for each hour. */
export const HOUR_COUNTS = table('ph_hour_count', {
  kind: oneOf<HourCountKind>(),
  /** An environment for the sum of its keys; empty for the sum of all keys. */
  key_id: id<KeyId | Environment | ''>().as<HourCount['keyId']>({
    encode: (keyId) => keyId ?? '',
    decode: (stored) => (stored === '' ? null : stored),
  }),
  hour: instant(),
  name: text(),
  count: integer(),
});

/** The applied migrations. Each storage creates this table itself. */
export const SCHEMA_MIGRATIONS = table('ph_schema_migration', { version: integer() });
