import { APPLICATION_STATUSES } from '../domain/application.js';
import { EVENT_TYPES, type EventType } from '../domain/event.js';
import type { FieldError } from '../domain/field-error.js';
import type { KeyId } from '../domain/ids.js';
import {
  clampLimit,
  decodeCursor,
  type EventQuery,
  type ListFilters,
  type ListName,
  type ListQuery,
} from '../domain/page.js';
import { type Instant, MINUTE_MS } from '../domain/time.js';

export type QueryResult<Query> =
  | { readonly kind: 'valid'; readonly query: Query }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

type Status = NonNullable<ListFilters['status']>;

const STATUSES: Readonly<Record<ListName, readonly Status[]>> = {
  jobs: ['open'],
  applications: APPLICATION_STATUSES,
};

/** Checks the cursor only if the filters are valid, because a cursor belongs to its filters. Contract: 5.4 to 5.9. */
export function readListQuery(list: ListName, keyId: KeyId, query: string): QueryResult<ListQuery> {
  const parameters = new URLSearchParams(query);
  const errors: FieldError[] = [];
  const filters: ListFilters = {
    updatedSince: readUpdatedSince(parameters, errors),
    companyId: readCompanyId(parameters, errors),
    status: readOneOf(parameters, 'status', STATUSES[list], errors),
  };
  const decode = (text: string) => decodeCursor(list, { ...filters, keyId }, text);
  const after = errors.length > 0 ? null : readCursor(parameters, decode, errors);
  const limit = readLimit(parameters, errors);
  if (errors.length > 0) return { kind: 'invalid', errors };
  return { kind: 'valid', query: { ...filters, keyId, after, limit: clampLimit(limit) } };
}

/** Like `readListQuery`, for the event log. */
export function readEventQuery(keyId: KeyId, query: string): QueryResult<EventQuery> {
  const parameters = new URLSearchParams(query);
  const errors: FieldError[] = [];
  const filters = {
    keyId,
    updatedSince: readUpdatedSince(parameters, errors),
    type: readOneOf<EventType>(parameters, 'type', EVENT_TYPES, errors),
  };
  const decode = (text: string) => decodeCursor('events', filters, text);
  const after = errors.length > 0 ? null : readCursor(parameters, decode, errors);
  const limit = readLimit(parameters, errors);
  if (errors.length > 0) return { kind: 'invalid', errors };
  return { kind: 'valid', query: { ...filters, after, limit: clampLimit(limit) } };
}

export function readOnce(parameters: URLSearchParams, field: string, errors: FieldError[]): string | null {
  const [value, second] = parameters.getAll(field);
  // A form that is sent with an empty field writes `cursor=`.
  if (second === undefined) return value === '' ? null : (value ?? null);
  errors.push({ field, code: 'invalid_value', message: 'Give this parameter once.' });
  return null;
}

function readUpdatedSince(parameters: URLSearchParams, errors: FieldError[]): Instant | null {
  const field = 'updated_since';
  const text = readOnce(parameters, field, errors);
  const instant = text === null ? null : readDateTime(text);
  if (text !== null && instant === null) {
    const message = 'Give a date-time with an offset or Z, for example 2026-01-31T09:30:00Z.';
    errors.push({ field, code: 'invalid_format', message });
  }
  return instant;
}

function readCompanyId(parameters: URLSearchParams, errors: FieldError[]): string | null {
  const field = 'company_id';
  const text = readOnce(parameters, field, errors);
  if (text?.includes('\0') !== true) return text;
  errors.push({ field, code: 'invalid_format', message: 'This must not contain NUL.' });
  return null;
}

export function readOneOf<Value extends string>(
  parameters: URLSearchParams,
  field: string,
  allowed: readonly Value[],
  errors: FieldError[],
): Value | null {
  const text = readOnce(parameters, field, errors);
  const value = allowed.find((candidate) => candidate === text) ?? null;
  if (text !== null && value === null) {
    errors.push({ field, code: 'invalid_value', message: `Must be one of: ${allowed.join(', ')}.` });
  }
  return value;
}

function readCursor(
  parameters: URLSearchParams,
  decode: (cursor: string) => Instant | null,
  errors: FieldError[],
): Instant | null {
  const field = 'cursor';
  const text = readOnce(parameters, field, errors);
  const after = text === null ? null : decode(text);
  if (text !== null && after === null) {
    const message = 'Not a cursor of this list with these filters. Start again without a cursor.';
    errors.push({ field, code: 'invalid_cursor', message });
  }
  return after;
}

export function readLimit(parameters: URLSearchParams, errors: FieldError[]): number | null {
  const field = 'limit';
  const text = readOnce(parameters, field, errors);
  if (text === null) return null;
  if (!/^-?\d+$/.test(text)) {
    errors.push({ field, code: 'invalid_type', message: 'Must be a whole number.' });
  } else if (Number(text) < 1) {
    errors.push({ field, code: 'invalid_value', message: 'Must be at least 1.' });
  }
  return Number(text);
}

/**
 * Matches date-times of RFC 3339, and also what ISO 8601 and Java write: the offsets `+0530` and `+05`, no seconds, a comma
 * before the fraction, and a zone's name in brackets after the offset. The sign may be a space, because a raw `+` in a query
 * decodes to a space.
 */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:Z|([+\- ])([01]\d|2[0-3])(?::?([0-5]\d))?)(?:\[[^[\]]+\])*$/i;

/** Returns null if malformed, or if the day does not exist. Truncates to milliseconds. */
export function readDateTime(text: string): Instant | null {
  const [, date, time, seconds = '00', fraction = '', sign, hours, minutes] = DATE_TIME.exec(text) ?? [];
  if (date === undefined) return null;
  const local = Date.parse(`${date}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  const isOnThatDay = !Number.isNaN(local) && new Date(local).toISOString().startsWith(date);
  if (!isOnThatDay) return null;
  const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return sign === '-' ? local + offsetMs : local - offsetMs;
}
