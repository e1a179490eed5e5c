import { isRecord, refuse } from './json.js';
import type {
  Application,
  FormQuestion,
  Job,
  JobClosing,
  JobOpening,
  KnownEventType,
  ResentWebhookEvent,
  RotatedWebhookSecret,
  StatusChange,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookFailure,
  WebhookResend,
  WebhookTest,
} from './wire.js';

/** The kinds of values, by `typeof`. Enums are text, because v1 may add values to them. */
const KINDS = { text: 'string', number: 'number', flag: 'boolean' } as const;

type Kind = keyof typeof KINDS | `${keyof typeof KINDS}OrNull`;

/**
 * A kind, an object with a shape for each field, or a list with one shape for all elements. The list may be null. A
 * shape with null beside it may be null too. A function returns the shape of a value.
 */
export type Shape =
  | Kind
  | readonly [Shape]
  | readonly [Shape, null]
  | { readonly [field: string]: Shape }
  | ((value: unknown) => Shape);

type OrNull<Value, Plain, Nullable> = null extends Value ? Nullable : Plain;

/** The shape of a type of the API, so that a shape lacks no field. Optional fields are not checked. */
type ShapeOf<Value> =
  NonNullable<Value> extends string
    ? OrNull<Value, 'text', 'textOrNull'>
    : NonNullable<Value> extends number
      ? OrNull<Value, 'number', 'numberOrNull'>
      : NonNullable<Value> extends boolean
        ? 'flag'
        : NonNullable<Value> extends readonly (infer Element)[]
          ? readonly [ShapeOf<Element>]
          : OrNull<Value, ShapeOfFields<Value>, readonly [ShapeOfFields<NonNullable<Value>>, null]>;

type ShapeOfFields<Value> = {
  readonly [Field in keyof Value as undefined extends Value[Field] ? never : Field]: ShapeOf<Value[Field]>;
};

const QUESTION: ShapeOf<FormQuestion> = { key: 'text', label: 'text', type: 'text', required: 'flag' };

export const JOB_SHAPE: ShapeOf<Job> = {
  id: 'text',
  title: 'text',
  company: { id: 'text', name: 'text' },
  location: { city: 'text', state: 'text', country: 'text' },
  compensation: { type: 'text', min: 'numberOrNull', max: 'numberOrNull', currency: 'text' },
  schedule: 'textOrNull',
  status: 'text',
  headcount: { total: 'numberOrNull', filled: 'number' },
  createdAt: 'text',
  updatedAt: 'text',
  applicationFormSchema: [QUESTION],
};

export const APPLICATION_SHAPE: ShapeOf<Application> = {
  id: 'text',
  sourceApplicationId: 'textOrNull',
  jobId: 'text',
  status: 'text',
  currentStage: 'text',
  submittedAt: 'text',
  lastStatusChangeAt: 'text',
};

const STATUS_CHANGE: ShapeOf<StatusChange> = {
  applicationId: 'text',
  sourceApplicationId: 'textOrNull',
  jobId: 'text',
  oldStatus: 'text',
  newStatus: 'text',
  currentStage: 'text',
  occurredAt: 'text',
};
const JOB_OPENING: ShapeOf<JobOpening> = {
  jobId: 'text',
  companyId: 'text',
  title: 'text',
  openedAt: 'text',
};
const JOB_CLOSING: ShapeOf<JobClosing> = {
  jobId: 'text',
  companyId: 'text',
  reason: 'text',
  closedAt: 'text',
};

/** The `data` of each known type. That of others may have any fields. */
const EVENT_DATA: ReadonlyMap<unknown, Shape> = new Map<KnownEventType, Shape>([
  ['application.status_changed', STATUS_CHANGE],
  ['job.opened', JOB_OPENING],
  ['job.closed', JOB_CLOSING],
]);

export function eventShape(event: unknown): Shape {
  const data = EVENT_DATA.get(isRecord(event) ? event.type : null) ?? {};
  return { id: 'text', type: 'text', createdAt: 'text', apiVersion: 'text', data };
}

const FAILURE: ShapeOf<WebhookFailure> = { kind: 'text', status: 'numberOrNull' };

export const WEBHOOK_ENDPOINT_SHAPE: ShapeOf<WebhookEndpoint> = {
  url: 'text',
  state: 'text',
  pausedReason: 'textOrNull',
  pausedAt: 'textOrNull',
  failingSince: 'textOrNull',
  consecutiveFailures: 'number',
  lastSuccessAt: 'textOrNull',
  lastFailure: [FAILURE, null],
  createdAt: 'text',
};

export const WEBHOOK_TEST_SHAPE: ShapeOf<WebhookTest> = {
  eventId: 'text',
  delivered: 'flag',
  failure: [FAILURE, null],
  latencyMs: 'number',
};

export const ROTATED_WEBHOOK_SECRET_SHAPE: ShapeOf<RotatedWebhookSecret> = {
  signingSecret: 'text',
  oldSecretsExpireAt: 'text',
};

export const WEBHOOK_DELIVERY_SHAPE: ShapeOf<WebhookDelivery> = {
  eventId: 'text',
  type: 'text',
  occurredAt: 'text',
  state: 'text',
  attempts: 'number',
  nextAttemptAt: 'textOrNull',
  deliveredAt: 'textOrNull',
  lastFailure: [FAILURE, null],
};

export const RESENT_WEBHOOK_EVENT_SHAPE: ShapeOf<ResentWebhookEvent> = { eventId: 'text', state: 'text' };

export const WEBHOOK_RESEND_SHAPE: ShapeOf<WebhookResend> = { since: 'text', state: 'text' };

/**
 * Returns how a value differs from its shape, such as `company.id of row 2 must be text, but is missing`. Null if it
 * fits. The text never contains the value, which may be personal data.
 * @param whole - a name for the value, such as `row 2`. A field of it is then called `… of row 2`. Default: the body.
 */
export function problemWith(value: unknown, shape: Shape, whole = '', path = ''): string | null {
  const said = (kind: string) => {
    const name = [path, whole].filter((part) => part !== '').join(' of ') || 'the body';
    return `${name} must be ${kind}, but is ${nameOf(value)}`;
  };
  if (typeof shape === 'function') return problemWith(value, shape(value), whole, path);
  if (typeof shape === 'string') {
    const [kind, orNull] = shape.split('Or') as [keyof typeof KINDS, string?];
    const type = KINDS[kind];
    if (typeof value === type || (orNull !== undefined && value === null)) return null;
    return said(orNull === undefined ? NAMES[type] : `${NAMES[type]} or null`);
  }
  if (isComposed(shape)) {
    const [each, orNull] = shape;
    if (value === null) return null;
    if (orNull === null) return problemWith(value, each, whole, path);
    if (!Array.isArray(value)) return said('a list or null');
    return firstOf(value.entries(), (index, one) => problemWith(one, each, whole, `${path}[${index}]`));
  }
  if (!isRecord(value)) return said('an object');
  const inside = path === '' ? '' : `${path}.`;
  return firstOf(Object.entries(shape), (field, each) =>
    problemWith(value[field], each, whole, inside + field),
  );
}

function isComposed(shape: Shape): shape is readonly [Shape] | readonly [Shape, null] {
  return Array.isArray(shape);
}

function firstOf<Key, Value>(
  entries: Iterable<readonly [Key, Value]>,
  find: (key: Key, value: Value) => string | null,
): string | null {
  for (const [key, value] of entries) {
    const problem = find(key, value);
    if (problem !== null) return problem;
  }
  return null;
}

/** Returns the kind of a value for a message, without the value. */
export function nameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return NAMES[typeof value as keyof typeof NAMES] ?? 'something else';
}

const NAMES = { string: 'text', number: 'a number', boolean: 'true or false', object: 'an object' };

/**
 * Throws if a value that the caller passes is not text. A number would otherwise be sent as another value.
 * @param advice - how to pass a value that is missing.
 */
export function requireText(name: string, value: unknown, advice: string): void {
  if (typeof value === 'string') return;
  const fix = typeof value === 'number' ? 'Pass String(…).' : advice;
  refuse(`${name} must be text, but is ${nameOf(value)}. ${fix}`);
}
