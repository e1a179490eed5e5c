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

/** The kind of a value, by `typeof`. Enums are text, because v1 may add values to them. */
interface Kind<Type extends 'string' | 'number' | 'boolean', OrNull extends boolean> {
  readonly kind: Type;
  readonly orNull: OrNull;
}

type AnyKind = Kind<'string' | 'number' | 'boolean', boolean>;

/** Values instead of names, because a bundle has them once. */
export const TEXT: Kind<'string', false> = { kind: 'string', orNull: false };
export const TEXT_OR_NULL: Kind<'string', true> = { kind: 'string', orNull: true };
const NUMBER: Kind<'number', false> = { kind: 'number', orNull: false };
const NUMBER_OR_NULL: Kind<'number', true> = { kind: 'number', orNull: true };
const FLAG: Kind<'boolean', false> = { kind: 'boolean', orNull: false };
const KINDS = new Set<unknown>([TEXT, TEXT_OR_NULL, NUMBER, NUMBER_OR_NULL, FLAG]);

/**
 * A kind, an object with a shape for each field, or a list with one shape for all elements. The list may be null. A
 * shape with null beside it may be null too. A function returns the shape of a value.
 */
export type Shape =
  | AnyKind
  | readonly [Shape]
  | readonly [Shape, null]
  | { readonly [field: string]: Shape }
  | ((value: unknown) => Shape);

type OrNull<Value, Plain, Nullable> = null extends Value ? Nullable : Plain;

/** The shape of a type of the API, so that a shape lacks no field. Optional fields are not checked. */
type ShapeOf<Value> =
  NonNullable<Value> extends string
    ? OrNull<Value, typeof TEXT, typeof TEXT_OR_NULL>
    : NonNullable<Value> extends number
      ? OrNull<Value, typeof NUMBER, typeof NUMBER_OR_NULL>
      : NonNullable<Value> extends boolean
        ? typeof FLAG
        : NonNullable<Value> extends readonly (infer Element)[]
          ? readonly [ShapeOf<Element>]
          : OrNull<Value, ShapeOfFields<Value>, readonly [ShapeOfFields<NonNullable<Value>>, null]>;

type ShapeOfFields<Value> = {
  readonly [Field in keyof Value as undefined extends Value[Field] ? never : Field]: ShapeOf<Value[Field]>;
};

const QUESTION: ShapeOf<FormQuestion> = { key: TEXT, label: TEXT, type: TEXT, required: FLAG };

export const JOB_SHAPE: ShapeOf<Job> = {
  id: TEXT,
  title: TEXT,
  company: { id: TEXT, name: TEXT },
  location: { city: TEXT, state: TEXT, country: TEXT },
  compensation: { type: TEXT, min: NUMBER_OR_NULL, max: NUMBER_OR_NULL, currency: TEXT },
  schedule: TEXT_OR_NULL,
  status: TEXT,
  headcount: { total: NUMBER_OR_NULL, filled: NUMBER },
  createdAt: TEXT,
  updatedAt: TEXT,
  applicationFormSchema: [QUESTION],
};

export const APPLICATION_SHAPE: ShapeOf<Application> = {
  id: TEXT,
  sourceApplicationId: TEXT_OR_NULL,
  jobId: TEXT,
  status: TEXT,
  currentStage: TEXT,
  submittedAt: TEXT,
  lastStatusChangeAt: TEXT,
};

const STATUS_CHANGE: ShapeOf<StatusChange> = {
  applicationId: TEXT,
  sourceApplicationId: TEXT_OR_NULL,
  jobId: TEXT,
  oldStatus: TEXT,
  newStatus: TEXT,
  currentStage: TEXT,
  occurredAt: TEXT,
};
const JOB_OPENING: ShapeOf<JobOpening> = {
  jobId: TEXT,
  companyId: TEXT,
  title: TEXT,
  openedAt: TEXT,
};
const JOB_CLOSING: ShapeOf<JobClosing> = {
  jobId: TEXT,
  companyId: TEXT,
  reason: TEXT,
  closedAt: TEXT,
};

/** The `data` of each known type. That of others may have any fields. */
const EVENT_DATA: ReadonlyMap<unknown, Shape> = new Map<KnownEventType, Shape>([
  ['application.status_changed', STATUS_CHANGE],
  ['job.opened', JOB_OPENING],
  ['job.closed', JOB_CLOSING],
]);

export function eventShape(event: unknown): Shape {
  const data = EVENT_DATA.get(isRecord(event) ? event.type : null) ?? {};
  return { id: TEXT, type: TEXT, createdAt: TEXT, apiVersion: TEXT, data };
}

const FAILURE: ShapeOf<WebhookFailure> = { kind: TEXT, status: NUMBER_OR_NULL };

export const WEBHOOK_ENDPOINT_SHAPE: ShapeOf<WebhookEndpoint> = {
  url: TEXT,
  state: TEXT,
  pausedReason: TEXT_OR_NULL,
  pausedAt: TEXT_OR_NULL,
  failingSince: TEXT_OR_NULL,
  consecutiveFailures: NUMBER,
  lastSuccessAt: TEXT_OR_NULL,
  lastFailure: [FAILURE, null],
  createdAt: TEXT,
};

export const WEBHOOK_TEST_SHAPE: ShapeOf<WebhookTest> = {
  eventId: TEXT,
  delivered: FLAG,
  failure: [FAILURE, null],
  latencyMs: NUMBER,
};

export const ROTATED_WEBHOOK_SECRET_SHAPE: ShapeOf<RotatedWebhookSecret> = {
  signingSecret: TEXT,
  oldSecretsExpireAt: TEXT,
};

export const WEBHOOK_DELIVERY_SHAPE: ShapeOf<WebhookDelivery> = {
  eventId: TEXT,
  type: TEXT,
  occurredAt: TEXT,
  state: TEXT,
  attempts: NUMBER,
  nextAttemptAt: TEXT_OR_NULL,
  deliveredAt: TEXT_OR_NULL,
  lastFailure: [FAILURE, null],
};

export const RESENT_WEBHOOK_EVENT_SHAPE: ShapeOf<ResentWebhookEvent> = { eventId: TEXT, state: TEXT };

export const WEBHOOK_RESEND_SHAPE: ShapeOf<WebhookResend> = { since: TEXT, state: TEXT };

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
  if (isKind(shape)) {
    if (typeof value === shape.kind || (shape.orNull && value === null)) return null;
    return said(shape.orNull ? `${NAMES[shape.kind]} or null` : NAMES[shape.kind]);
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

function isKind(shape: Shape): shape is AnyKind {
  return KINDS.has(shape);
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
