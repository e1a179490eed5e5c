import type { AttemptRecord, DeliveryState } from '../../domain/delivery.js';
import type { DeliveryEvidence } from '../../domain/delivery-evidence.js';
import type { EventType } from '../../domain/event.js';
import type { ApplicationId, CompanyId, EventId, JobId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { TimeRange } from '../../operator/page-cursor.js';
import type { ListedAuditEntry } from '../audit/audit-entries.js';
import type { InboxEntryState } from '../inbox/rules.js';
import type { LoggedRequest } from '../request-log/find-request.js';
import type { RequestReads } from '../request-log/rules.js';

/** Selects a part of a timeline. */
export interface TimelineOptions extends TimeRange {
  /** The most entries, from 1 to 1000; default: 100. The newest ones are returned. */
  readonly limit?: number | undefined;
}

/** The subject of an entry of a timeline. */
export type TimelineFact =
  /** A submission that was accepted. */
  | {
      readonly kind: 'submitted';
      readonly applicationId: ApplicationId;
      readonly jobId: JobId;
      readonly companyId: CompanyId;
      readonly keyId: KeyId;
      readonly keyLabel: string;
    }
  /** A request in the log. */
  | {
      readonly kind: 'request';
      readonly request: LoggedRequest;
    }
  /** A command that the audit recorded, of the host or automatic. */
  | {
      readonly kind: 'command';
      readonly auditEntry: ListedAuditEntry;
    }
  /** An event for the partner's endpoint. */
  | {
      readonly kind: 'event';
      readonly keyId: KeyId;
      readonly eventId: EventId;
      readonly type: EventType;
      /** The state of its delivery now. */
      readonly state: DeliveryState;
      /** The last success. Null if no attempt succeeded, or if the success was not recorded. */
      readonly evidence: DeliveryEvidence | null;
    }
  /** An attempt to deliver an event. A success at the first attempt is not recorded as an attempt, but as `evidence`. */
  | {
      readonly kind: 'attempt';
      readonly attempt: AttemptRecord;
    }
  /** A success of an event's delivery, at its first attempt or later. */
  | {
      readonly kind: 'delivered';
      readonly keyId: KeyId;
      readonly eventId: EventId;
      readonly evidence: DeliveryEvidence;
    }
  /** The host has received an item of its inbox, or has not yet. */
  | {
      readonly kind: 'inbox';
      readonly entry: InboxEntryState;
    }
  /** The end of a résumé's download. */
  | {
      readonly kind: 'resume';
      readonly state: 'fetched' | 'failed';
      /** Null for a success. */
      readonly reason: string | null;
    }
  /** A partner's reads of a list in one minute. */
  | {
      readonly kind: 'read';
      readonly reads: RequestReads;
    };

/** An entry of a timeline. */
export type TimelineEntry = TimelineFact & {
  readonly at: Instant;
  /** The entry in English, without its time. Shorter than 500 characters. */
  readonly text: string;
};

/**
 * Whether the partner knows a change: `delivered`, its endpoint accepted the event; `read`, it read the change in a
 * list; otherwise it may not know: `waiting` for an attempt, endpoint `paused`, all attempts failed (`dead`), delivery
 * `cancelled`, the change causes `no_event`, the key had `no_endpoint`, or the event has `expired`.
 */
export type NewsState =
  | 'delivered'
  | 'read'
  | 'waiting'
  | 'paused'
  | 'dead'
  | 'cancelled'
  | 'no_event'
  | 'no_endpoint'
  | 'expired';

/** Whether a partner knows the last change of an application or a job. */
export interface PartnerNews {
  /** When the change happened. */
  readonly changedAt: Instant;
  /** How the partner learned of the change, or why it may not know of it. */
  readonly state: NewsState;
  /** When the partner learned of it; null if it may not know. */
  readonly knownSince: Instant | null;
  /** The answer in English, with what to do if the partner does not know. */
  readonly text: string;
}

/** What happened to an application, a job or a key. */
export interface Timeline {
  /** Oldest first. */
  readonly entries: readonly TimelineEntry[];
  /**
   * The time from which on `entries` is complete; null if it is complete from `since` on. Pass it as `until` to read
   * the earlier entries.
   */
  readonly completeFrom: Instant | null;
  /**
   * Whether the partner knows the present status of the application, or if the job is open; null for a key, and for a
   * job without `keyId` or that the key never saw.
   */
  readonly news: PartnerNews | null;
}
