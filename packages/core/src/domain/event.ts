import stringify from 'fast-json-stable-stringify';
import type { ClosedReason } from './access.js';
import type { Application, ApplicationStatus, Decision } from './application.js';
import { STAGE_LABELS, type StageLabel } from './application.js';
import type { ApplicationId, CompanyId, EventId, JobId, KeyId } from './ids.js';
import { type Instant, toIso } from './time.js';

/** Contract: 10.2. */
export const API_VERSION = 'v1';

/** Contract: 10.3 to 10.5. */
export type EventType = 'application.status_changed' | 'job.opened' | 'job.closed';

/** All event types. */
export const EVENT_TYPES = [
  'application.status_changed',
  'job.opened',
  'job.closed',
] as const satisfies readonly EventType[];

/** The content of an event. */
export type EventFact =
  | {
      readonly type: 'application.status_changed';
      readonly application: Pick<Application, 'id' | 'sourceApplicationId' | 'jobId' | 'stage'>;
      readonly oldStatus: ApplicationStatus;
      readonly newStatus: Decision;
    }
  | {
      readonly type: 'job.opened';
      readonly jobId: JobId;
      readonly companyId: CompanyId;
      readonly title: string;
    }
  | {
      readonly type: 'job.closed';
      readonly jobId: JobId;
      readonly companyId: CompanyId;
      readonly reason: ClosedReason;
    };

/** Wire format of `data`. Contract: 10.3 to 10.5. */
export interface EventData {
  readonly 'application.status_changed': {
    readonly applicationId: string;
    readonly sourceApplicationId: string | null;
    readonly jobId: string;
    readonly oldStatus: ApplicationStatus;
    readonly newStatus: Decision;
    readonly currentStage: StageLabel;
    readonly occurredAt: string;
  };
  readonly 'job.opened': {
    readonly jobId: string;
    readonly companyId: string;
    readonly title: string;
    readonly openedAt: string;
  };
  readonly 'job.closed': {
    readonly jobId: string;
    readonly companyId: string;
    readonly reason: ClosedReason;
    readonly closedAt: string;
  };
}

/** An event with its body. */
export interface PartnerEvent {
  readonly id: EventId;
  readonly keyId: KeyId;
  readonly type: EventType;
  /** The time of the event. It is also the event's position in the key's log. */
  readonly at: Instant;
  readonly body: string;
}

/** An event without its body. */
export interface LoggedEvent extends Omit<PartnerEvent, 'body'> {
  /**
   * True if the watermark has passed the event. Such an event without a delivery row was delivered. If false,
   * an event without a row was not attempted yet.
   */
  readonly isPassed: boolean;
}

/** Contract: 10.2. */
export function createEvent(id: EventId, keyId: KeyId, at: Instant, fact: EventFact): PartnerEvent {
  const createdAt = toIso(at);
  const data = eventData(fact, createdAt);
  const envelope = { id, type: fact.type, createdAt, apiVersion: API_VERSION, data };
  return { id, keyId, type: fact.type, at, body: stringify(envelope) };
}

/** Returns the application that an event is about. Null for an event about a job. */
export function applicationOfEvent({
  type,
  body,
}: Pick<PartnerEvent, 'type' | 'body'>): ApplicationId | null {
  if (type !== 'application.status_changed') return null;
  const { data } = JSON.parse(body) as { readonly data: EventData['application.status_changed'] };
  return data.applicationId as ApplicationId;
}

/** Returns the body of an event without the partner's own id of the application. */
export function withoutSourceApplicationId(body: string): string {
  const envelope = JSON.parse(body) as { readonly data: Partial<EventData['application.status_changed']> };
  if ((envelope.data.sourceApplicationId ?? null) === null) return body;
  return stringify({ ...envelope, data: { ...envelope.data, sourceApplicationId: null } });
}

function eventData(fact: EventFact, occurredAt: string): EventData[EventType] {
  switch (fact.type) {
    case 'application.status_changed':
      return {
        applicationId: fact.application.id,
        sourceApplicationId: fact.application.sourceApplicationId,
        jobId: fact.application.jobId,
        oldStatus: fact.oldStatus,
        newStatus: fact.newStatus,
        currentStage: STAGE_LABELS[fact.application.stage],
        occurredAt,
      };
    case 'job.opened':
      return { jobId: fact.jobId, companyId: fact.companyId, title: fact.title, openedAt: occurredAt };
    case 'job.closed':
      return { jobId: fact.jobId, companyId: fact.companyId, reason: fact.reason, closedAt: occurredAt };
  }
}
