import type { Json } from '../../domain/application-form.js';
import type { DeliveryState } from '../../domain/delivery.js';
import type { FieldError } from '../../domain/field-error.js';
import { clampLimit } from '../../domain/page.js';
import { DEFAULT_OVERLAP_MS, isOverlapAllowed } from '../../domain/partner-key.js';
import { type Instant, SECOND_MS } from '../../domain/time.js';
import { readDateTime, readLimit, readOnce, readOneOf } from '../../http/list-query.js';
import type { EndpointSelfService } from './service.js';

type DeliveryQuery = Parameters<EndpointSelfService['listDeliveries']>[1];

type Fields = Readonly<Record<string, Json | undefined>>;

export type ReadField<Value> = { readonly value: Value } | { readonly error: FieldError };

/** The use case checks the URL. */
export function readUrl({ url }: Fields): ReadField<string> {
  if (url === undefined || url === null) return wrong('url', 'required', 'This is required.');
  return typeof url === 'string' ? { value: url } : wrong('url', 'invalid_type', 'Must be text.');
}

export function readRetryNow({ retryNow = false }: Fields): ReadField<boolean> {
  if (typeof retryNow === 'boolean') return { value: retryNow };
  return wrong('retryNow', 'invalid_type', 'Must be true or false.');
}

/** Returns milliseconds. */
export function readOverlap({ overlapSeconds }: Fields): ReadField<number> {
  if (overlapSeconds === undefined) return { value: DEFAULT_OVERLAP_MS };
  if (typeof overlapSeconds !== 'number' || !Number.isInteger(overlapSeconds))
    return wrong('overlapSeconds', 'invalid_type', 'Must be a whole number.');
  const overlapMs = overlapSeconds * SECOND_MS;
  if (isOverlapAllowed(overlapMs)) return { value: overlapMs };
  return wrong('overlapSeconds', 'invalid_value', 'Must be from 0 to 604800, which is seven days.');
}

export function readSince({ since }: Fields): ReadField<Instant> {
  if (since === undefined || since === null) return wrong('since', 'required', 'This is required.');
  if (typeof since !== 'string') return wrong('since', 'invalid_type', 'Must be text.');
  const instant = readDateTime(since);
  if (instant !== null && instant >= 0) return { value: instant };
  const message = 'Give a date-time with an offset or Z, for example 2026-01-31T09:30:00Z.';
  return wrong('since', 'invalid_format', message);
}

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'dead', 'cancelled'];

export function readDeliveryQuery(
  query: string,
): { readonly value: DeliveryQuery } | { readonly errors: readonly FieldError[] } {
  const parameters = new URLSearchParams(query);
  const errors: FieldError[] = [];
  const state = readOneOf(parameters, 'state', STATES, errors);
  const cursor = readOnce(parameters, 'cursor', errors);
  const limit = readLimit(parameters, errors);
  return errors.length > 0 ? { errors } : { value: { state, cursor, limit: clampLimit(limit) } };
}

function wrong(field: string, code: FieldError['code'], message: string): { readonly error: FieldError } {
  return { error: { field, code, message } };
}
