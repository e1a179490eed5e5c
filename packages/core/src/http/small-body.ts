import type { Json } from '../domain/application-form.js';
import type { FieldError } from '../domain/field-error.js';
import { validationError, type WireError } from '../errors.js';
import { problemOfMediaType } from './media-type.js';
import type { BodyLimits, BodyResult, HttpRequest } from './message.js';
import { type KnownFields, noJsonErrors, readJson } from './read-json.js';

/** The fields of a body, or why it was refused. */
export type SmallBody =
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, Json | undefined>> }
  | { readonly kind: 'refused'; readonly error: WireError };

/** Many times the size of the longest URL. */
export const SMALL_BODY_BYTES = 16 * 1024;

/** Reads a small JSON object. An empty body counts as an object without fields. */
export async function readSmallBody(
  request: HttpRequest,
  { maxBytes, timeoutMs }: BodyLimits,
  known: KnownFields,
): Promise<SmallBody> {
  const body = await request.readBody({ maxBytes: Math.min(maxBytes, SMALL_BODY_BYTES), timeoutMs });
  return parseSmallBody(request, body, known);
}

function parseSmallBody(request: HttpRequest, body: BodyResult, known: KnownFields): SmallBody {
  if (body === 'timed_out') return refuse({ code: 'SERVICE_UNAVAILABLE' });
  if (body === 'too_large') return refuse({ code: 'PAYLOAD_TOO_LARGE' });
  if (body === 'broken_off') return invalid(noJsonErrors('broken_off'));
  if (body.byteLength === 0) return { kind: 'fields', fields: {} };
  const problem = problemOfMediaType(request);
  if (problem !== null) return refuse({ code: 'UNSUPPORTED_MEDIA_TYPE', problem });
  const document = readJson(body, known);
  if (document.kind === 'no_json') return invalid(noJsonErrors(document.problem));
  if (document.errors.length > 0) return invalid(document.errors);
  return isObject(document.json) ? { kind: 'fields', fields: document.json } : invalid([NO_OBJECT]);
}

const NO_OBJECT: FieldError = { field: '', code: 'invalid_type', message: 'The body must be a JSON object.' };

function isObject(json: Json): json is { readonly [name: string]: Json } {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function refuse(error: WireError): SmallBody {
  return { kind: 'refused', error };
}

function invalid(errors: readonly FieldError[]): SmallBody {
  return refuse(validationError(errors));
}
