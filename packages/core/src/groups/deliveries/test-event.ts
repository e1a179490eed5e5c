import { createEvent, type EventFact, type EventType, type PartnerEvent } from '../../domain/event.js';
import { ID_PREFIXES, type IdKind, type IdOf, type KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { IdSource } from '../../ports/runtime.js';
import { UNUSUAL_TITLE } from '../../probes/samples.js';

const ZEROS = '0'.repeat(10);
const RANDOM_LENGTH = 16;

/** Returns an event that describes nothing real. Its ids have ten zeros for their time, by which receivers recognize it. */
export function createTestEvent(type: EventType, keyId: KeyId, at: Instant, ids: IdSource): PartnerEvent {
  return createEvent(testId('event', ids), keyId, at, testFact(type, ids));
}

function testId<Kind extends IdKind>(kind: Kind, ids: IdSource): IdOf<Kind> {
  const random = ids.next(kind).slice(ID_PREFIXES[kind].length).slice(-RANDOM_LENGTH);
  return `${ID_PREFIXES[kind]}${ZEROS}${random}`;
}

function testFact(type: EventType, ids: IdSource): EventFact {
  const jobId = testId('job', ids);
  switch (type) {
    case 'application.status_changed':
      return {
        type,
        application: {
          id: testId('application', ids),
          sourceApplicationId: UNUSUAL_TITLE,
          jobId,
          stage: 'hired',
        },
        oldStatus: 'in_progress',
        newStatus: 'accepted',
      };
    case 'job.opened':
      return { type, jobId, companyId: testId('company', ids), title: UNUSUAL_TITLE };
    case 'job.closed':
      return { type, jobId, companyId: testId('company', ids), reason: 'closed_by_customer' };
  }
}
