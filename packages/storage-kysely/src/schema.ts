import type {
  Act,
  AlertId,
  ApplicationId,
  ApplicationItemKind,
  ApplicationStatus,
  AuditId,
  AuditObjectKind,
  CompanyId,
  DeliveryState,
  Environment,
  EventId,
  EventType,
  HourCountKind,
  Instant,
  JobId,
  JobState,
  KeyId,
  NewAlert,
  OperationId,
  OperationState,
  PartnerId,
  PauseReason,
  RequestRoute,
  Stage,
  WorkerId,
} from '@partner-hiring/core/ports';
import type { Generated, GeneratedAlways } from 'kysely';

/** A boolean, stored as 1 or 0 in every database. */
export type Flag = 0 | 1;
/** JSON text, kept as it was written. */
export type JsonText = string;

export interface PartnerTable {
  id: PartnerId;
  name: string;
  created_at: Instant;
}

export interface PartnerKeyTable {
  id: KeyId;
  partner_id: PartnerId;
  environment: Environment;
  created_at: Instant;
}

export interface KeySecretTable {
  hash: string;
  key_id: KeyId;
  prefix: string;
  last_four: string;
  created_at: Instant;
  last_used_at: Instant | null;
  expires_at: Instant | null;
  revoked_at: Instant | null;
}

export interface CompanyTable {
  id: CompanyId;
  name: string;
  environment: Environment;
  created_at: Instant;
}

export interface AccessTable {
  key_id: KeyId;
  company_id: CompanyId;
  granted_at: Instant;
  revoked_at: Instant | null;
  bootstrap_until: Instant | null;
}

/** Jobs. `application_form` is null if a job has no form. */
export interface JobTable {
  id: JobId;
  company_id: CompanyId;
  title: string;
  city: string;
  region: string;
  country: string;
  pay_type: 'hourly';
  pay_min: number | null;
  pay_max: number | null;
  pay_currency: string;
  schedule: string | null;
  headcount_total: number | null;
  headcount_filled: number;
  application_form: JsonText | null;
  state: JobState;
  internal_only: Flag;
  created_at: Instant;
}

/**
 * The feed head of each key: the last stamp that its feed has used. `event_at` is the last stamp that was
 * taken for an event, or 0.
 */
export interface FeedHeadTable {
  key_id: KeyId;
  at: Instant;
  event_at: Instant;
  /** All events up to this stamp were sent. */
  checked_at: Generated<Instant>;
  /** Whether `event_at` is greater than `checked_at`. If so, the feed may have unsent events. */
  unchecked: GeneratedAlways<Flag>;
}

export interface KeyJobTable {
  key_id: KeyId;
  job_id: JobId;
  company_id: CompanyId;
  visible: Flag;
  changed_at: Instant;
}

/** Applications, including data that only the host may read. */
export interface ApplicationTable {
  id: ApplicationId;
  key_id: KeyId;
  job_id: JobId;
  company_id: CompanyId;
  source_application_id: string | null;
  status: ApplicationStatus;
  stage: Stage;
  submitted_at: Instant;
  last_status_change_at: Instant;
  changed_at: Instant;
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
  source: string | null;
  answers: JsonText;
  resume_url: string | null;
  resume: JsonText;
  /** Null until the worker fills it in. */
  last_name_key: string | null;
  /** Null until the worker fills it in. */
  email_key: string | null;
  erased_at: Instant | null;
  /** A JSON object: what was erased. Null before an erasure. */
  erased_counts: JsonText | null;
  /** Finds the stored reply of the submission. */
  idempotency_key: string | null;
}

/** The idempotency keys of accepted submissions, that is, of replies with status 201. */
export interface IdempotencyTable {
  key_id: KeyId;
  idempotency_key: string;
  fingerprint: string;
  json_fingerprint: string;
  application_id: ApplicationId;
  company_id: CompanyId;
  reply_status: number;
  reply_body: string;
  created_at: Instant;
  expires_at: Instant;
}

interface RateWindowTable {
  window_start: Instant;
  bucket_id: string;
  count: number;
}

/** Events. `body` is the exact text that every attempt sends. */
export interface EventTable {
  key_id: KeyId;
  at: Instant;
  id: EventId;
  type: EventType;
  body: string;
}

/** A worker's lease on a row. `lease_until` is 0 if no worker holds it. */
export interface LeaseColumns {
  lease_token: string | null;
  lease_until: Instant;
}

/** Webhook endpoints. `leased_at` is 0 if the endpoint was never leased. */
export interface EndpointTable extends LeaseColumns {
  key_id: KeyId;
  url: string;
  state: 'active' | 'paused';
  paused_reason: PauseReason | null;
  paused_at: Instant | null;
  consecutive_failures: number;
  first_failure_at: Instant | null;
  last_success_at: Instant | null;
  /** Why the last attempt failed, as JSON. */
  last_failure: JsonText | null;
  failing_warned_at: Instant | null;
  pause_warned_at: Instant | null;
  /** When the passing of time leads to the next warning. */
  warn_at: Instant | null;
  resumed_at: Instant | null;
  secrets: JsonText;
  created_at: Instant;
  watermark: Instant;
  leased_at: Instant;
}

/** Deliveries that did not succeed at the first attempt. */
export interface DeliveryTable {
  key_id: KeyId;
  event_id: EventId;
  event_at: Instant;
  state: DeliveryState;
  attempts: number;
  cycle: number;
  due_at: Instant | null;
  /** Since when the delivery is pending. Null if it is since the event. */
  pending_since: Instant | null;
  last_attempt_at: Instant | null;
  last_outcome: JsonText | null;
  last_latency_ms: number | null;
}

/** The last ten attempts of each delivery in `ph_delivery`. */
export interface AttemptTable {
  key_id: KeyId;
  event_id: EventId;
  number: number;
  cycle: number;
  ended_at: Instant;
  latency_ms: number;
  outcome: JsonText;
}

/** Evidence of successes. `replaced` is 1 for the success of one delivery before its redelivery. */
export interface DeliveryEvidenceTable {
  key_id: KeyId;
  replaced: Flag;
  /** The stamp of the last event. */
  last_at: Instant;
  cycle: number;
  /** The stamp of the first event. */
  first_at: Instant;
  body: JsonText;
}

/** Alerts that the host has not received yet. Columns that belong to another kind of alert are null. */
export interface AlertTable extends LeaseColumns {
  id: AlertId;
  kind: NewAlert['kind'];
  key_id: KeyId;
  reason: PauseReason | null;
  event_id: EventId | null;
  attempts: number | null;
  at: Instant;
  /** The other fields, as JSON. */
  details: JsonText | null;
}

export interface ResumeFileTaskTable extends LeaseColumns {
  application_id: ApplicationId;
  key_id: KeyId;
  url: string;
  attempts: number;
  due_at: Instant;
}

/** Résumés that the sink must remove. */
export interface ResumeRemovalTable extends LeaseColumns {
  application_id: ApplicationId;
  location: string | null;
  attempts: number;
  due_at: Instant;
}

/** Operations of the host. `due_at` is when the next step may run. */
export interface OperationTable {
  id: OperationId;
  plan: JsonText;
  started_by: JsonText | null;
  state: OperationState;
  position: JsonText | null;
  done: number;
  skipped: number;
  total: number | null;
  failures: number;
  last_error: string | null;
  created_at: Instant;
  due_at: Instant;
  updated_at: Instant;
  finished_at: Instant | null;
}

/** The inputs of an operation's steps. */
export interface OperationInputTable {
  operation_id: OperationId;
  number: number;
  input: JsonText;
}

/** One row. Whether new inbox entries are recorded. */
export interface InboxSwitchTable {
  id: number;
  is_on: Flag;
}

/** The keys with inbox entries. `lease_until` is 0 if no consumer has the key's entries. */
export interface InboxHeadTable {
  key_id: KeyId;
  /** Entries up to here are done or have a `retry_at`. */
  position: Generated<Instant>;
  lease_until: Generated<Instant>;
  leased_to: Generated<Instant>;
}

/** What the host was not told yet. */
export interface InboxEntryTable {
  application_id: ApplicationId;
  at: Instant;
  key_id: KeyId;
  kind: ApplicationItemKind;
  failures: Generated<number>;
  first_failure_at: Instant | null;
  retry_at: Instant | null;
  parked_at: Instant | null;
  last_error: string | null;
}

/** The erasures that the host was told, or was not told yet. */
export interface InboxErasureTable {
  application_id: ApplicationId;
  key_id: KeyId;
  at: Instant;
  failures: Generated<number>;
  first_failure_at: Instant | null;
  retry_at: Instant;
  parked_at: Instant | null;
  last_error: string | null;
  received_at: Instant | null;
}

/** What the host has received: one row for each key and hand-over. */
export interface InboxReceiptTable {
  key_id: KeyId;
  /** The stamp of the first entry. */
  first_at: Instant;
  /** The stamp of the last entry. */
  last_at: Instant;
  received_at: Instant;
  body: JsonText;
}

/** One row for each object of an audit entry. The row of the main object has the number 0. */
export interface AuditTable {
  id: AuditId;
  number: number;
  at: Instant;
  actor_id: string;
  actor_name: string | null;
  reason: string | null;
  act: Act;
  object_kind: AuditObjectKind;
  object_id: string;
  objects: JsonText;
  key_id: KeyId | null;
  count: number | null;
  filter: JsonText | null;
  before: JsonText | null;
  after: JsonText | null;
}

/** The request log. `fields` is a JSON array of names. */
export interface RequestTable {
  request_id: string;
  at: Instant;
  is_error: Flag;
  key_id: KeyId | null;
  client: string | null;
  method: string;
  route: RequestRoute | null;
  status: number;
  code: string | null;
  fields: JsonText;
  duration_ms: number;
  application_id: ApplicationId | null;
  is_replay: Flag;
  count: number;
  last_at: Instant;
}

/** Successful reads of a key, by route and minute. */
export interface RequestReadTable {
  key_id: KeyId;
  route: RequestRoute;
  minute: Instant;
  count: number;
  last_at: Instant;
  /** The minute again. */
  sweep_at: Instant;
  last_request_id: string;
  read_after: Instant | null;
  read_through: Instant | null;
}

/** Started workers. `swept_at` is when its last sweep ended. */
export interface WorkerTable {
  id: WorkerId;
  name: string;
  pid: number;
  release: string;
  started_at: Instant;
  last_seen_at: Instant;
  swept_at: Instant | null;
  /** When an idle worker wakes. Null while it polls. */
  sleeps_until: Instant | null;
}

/** Counts for each hour. `key_id` is empty for the sum of all keys. */
export interface HourCountTable {
  kind: HourCountKind;
  key_id: KeyId | '';
  hour: Instant;
  name: string;
  count: number;
}

/** The cells of a storage that has several. Only the home cell has rows. With one schema, the table is empty. */
export interface CellTable {
  /** The name of the cell's schema. */
  name: string;
  added_at: Instant;
  /** When the cell was first given partners. Null while it may lack companies and jobs. */
  opened_at: Instant | null;
  /** How many partners have moved out of the cell. */
  moves: number;
}

/** The applied migrations. Each storage creates this table itself. */
interface SchemaMigrationTable {
  version: number;
}

export interface Schema {
  ph_partner: PartnerTable;
  ph_partner_key: PartnerKeyTable;
  ph_key_secret: KeySecretTable;
  ph_company: CompanyTable;
  ph_access: AccessTable;
  ph_job: JobTable;
  ph_feed_head: FeedHeadTable;
  ph_key_job: KeyJobTable;
  ph_application: ApplicationTable;
  ph_idempotency: IdempotencyTable;
  ph_rate_window: RateWindowTable;
  ph_event: EventTable;
  ph_endpoint: EndpointTable;
  ph_delivery: DeliveryTable;
  ph_attempt: AttemptTable;
  ph_delivery_evidence: DeliveryEvidenceTable;
  ph_alert: AlertTable;
  ph_resume_task: ResumeFileTaskTable;
  ph_resume_removal: ResumeRemovalTable;
  ph_operation: OperationTable;
  ph_operation_input: OperationInputTable;
  ph_inbox_switch: InboxSwitchTable;
  ph_inbox_head: InboxHeadTable;
  ph_inbox_entry: InboxEntryTable;
  ph_inbox_erasure: InboxErasureTable;
  ph_inbox_receipt: InboxReceiptTable;
  ph_audit: AuditTable;
  ph_request: RequestTable;
  ph_request_read: RequestReadTable;
  ph_worker: WorkerTable;
  ph_hour_count: HourCountTable;
  ph_schema_migration: SchemaMigrationTable;
  ph_cell: CellTable;
}
