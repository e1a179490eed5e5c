import type { EndpointFailureKind } from '../../domain/endpoint-failure.js';
import type { FieldError } from '../../domain/field-error.js';
import { validationError, type WireError } from '../../errors.js';
import type { OwnRefusal } from './service.js';

/** Returns the error of an act on the own endpoint that did nothing. It never says where a URL led, or what it answered. */
export function wireErrorOf(refusal: Exclude<OwnRefusal, { kind: 'key_ended' }>): WireError {
  switch (refusal.kind) {
    case 'no_network':
      return { code: 'SERVICE_UNAVAILABLE' };
    case 'invalid_url':
      return invalid('url', 'invalid_format', `The URL ${refusal.rule}.`);
    case 'not_proven':
      return invalid('url', `endpoint_${refusal.failure}`, `${NOT_PROVEN[refusal.failure]} ${UNCHANGED}`);
    case 'too_many_secrets':
      return invalid('overlapSeconds', 'invalid_value', refusal.message);
    case 'invalid_cursor':
      return invalid('cursor', 'invalid_cursor', INVALID_CURSOR);
    case 'no_event':
      return invalid('eventId', 'unknown_event', 'Your key has no such event, or it is too old.');
    case 'cancelled_by_operator':
      return invalid(
        'eventId',
        'invalid_value',
        'The operator cancelled this event. Only the operator sends it again.',
      );
    case 'no_endpoint':
      return invalid('', 'no_endpoint', 'Your key has no webhook endpoint.');
    case 'paused_by_operator':
      return invalid(
        '',
        'paused_by_operator',
        'The operator paused your endpoint, and only the operator resumes it.',
      );
    case 'already_resending':
      return invalid(
        '',
        'already_running',
        'Events of your key are already being sent again. Wait until that is done.',
      );
  }
}

const UNCHANGED = 'The endpoint is unchanged.';
const INVALID_CURSOR = 'Not a cursor of this list with these filters. Start again without a cursor.';

const NOT_PROVEN: Readonly<Record<EndpointFailureKind, string>> = {
  status: 'The URL answered the test event with a status other than 2xx.',
  timeout: 'The URL did not answer the test event in time.',
  tls: 'No TLS connection to the URL could be made: check its certificate.',
  refused: 'No HTTP connection to the URL could be made. It must have a public address.',
};

function invalid(field: string, code: FieldError['code'], message: string): WireError {
  return validationError([{ field, code, message }]);
}
