import type { FieldError } from '../../domain/field-error.js';
import { type EventQuery, encodeCursor, mayMissEvents, PAGE_LIMIT, startsAfter } from '../../domain/page.js';
import { toIso } from '../../domain/time.js';
import { validationError } from '../../errors.js';
import { readEventQuery } from '../../http/list-query.js';
import type { WorkOnLongPage } from '../../http/long-pages.js';
import { type Call, type Outcome, type Route, refused } from '../../http/route.js';
import { serializeEvents } from '../../http/wire.js';
import type { PartnerApi } from '../../partner/partner-api.js';

/** `GET /events`: the event log of the key, oldest first. */
export function createGetEvents(
  partner: Pick<PartnerApi, 'listEvents'>,
  workOnLongPage: WorkOnLongPage,
): Route {
  return {
    bucket: 'list_events',
    run: async (call) => {
      const result = readEventQuery(call.key.id, call.query);
      if (result.kind === 'invalid') return refused(validationError(result.errors), call.rate);
      const { query } = result;
      const answer = () => answerEvents(partner, query, call);
      return query.limit > PAGE_LIMIT.default ? workOnLongPage(call.key.id, answer) : answer();
    },
  };
}

async function answerEvents(
  partner: Pick<PartnerApi, 'listEvents'>,
  query: EventQuery,
  { rate }: Call,
): Promise<Outcome> {
  const { rows, hasMore, through, recordedAfter } = await partner.listEvents(query);
  if (recordedAfter === null || mayMissEvents(query, recordedAfter)) {
    return refused(validationError([missingEvents(query)]), rate);
  }
  const nextCursor = hasMore ? encodeCursor('events', query, through) : null;
  const after = Math.max(startsAfter(query), recordedAfter);
  return {
    kind: 'answered',
    status: 200,
    body: serializeEvents(rows, nextCursor),
    rate,
    headers: { 'X-Updated-Through': toIso(through) },
    readRange: query.type === null && after <= through ? { after, through } : undefined,
  };
}

function missingEvents({ after }: EventQuery): FieldError {
  return {
    field: after === null ? 'updated_since' : 'cursor',
    code: 'invalid_cursor',
    message:
      'Events after this position may be missing. Read GET /jobs and GET /applications in full, then start again ' +
      'without a cursor and without updated_since.',
  };
}
