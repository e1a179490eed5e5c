/** An enum that may grow within v1. Handle unknown values in a default case. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** An option of a `single_select` or `multi_select` question. */
export interface FormOption {
  readonly value: string;
  readonly label: string;
}

/**
 * A question of a job's application form.
 * Contract: 2.8, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export interface FormQuestion {
  /** The key of its answer in `applicationFormAnswers`. */
  readonly key: string;
  readonly label: string;
  /** The type of the answer. If you do not know the type, show a text field. */
  readonly type: Open<
    'boolean' | 'short_text' | 'long_text' | 'number' | 'date' | 'url' | 'single_select' | 'multi_select'
  >;
  readonly required: boolean;
  /** Only for selects. */
  readonly options?: readonly FormOption[] | undefined;
}

/** An open job. Contract: 2.2, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md */
export interface Job {
  readonly id: string;
  readonly title: string;
  readonly company: { readonly id: string; readonly name: string };
  /** `country` is an ISO 3166 alpha-2 code. */
  readonly location: { readonly city: string; readonly state: string; readonly country: string };
  readonly compensation: {
    readonly type: Open<'hourly'>;
    readonly min: number | null;
    readonly max: number | null;
    readonly currency: string;
  };
  /** Such as `full_time`; null if unset. */
  readonly schedule: string | null;
  readonly status: Open<'open'>;
  /** `total` is null if unset. */
  readonly headcount: { readonly total: number | null; readonly filled: number };
  /** ISO 8601 in UTC, like all times. */
  readonly createdAt: string;
  /** When it last changed for your key. Gaining access counts. */
  readonly updatedAt: string;
  /** Null if the job has no questions. */
  readonly applicationFormSchema: readonly FormQuestion[] | null;
}

/**
 * The status of an application, on which your code should branch. `accepted` and `rejected` are final.
 * Contract: 2.12, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export type ApplicationStatus = Open<'received' | 'in_progress' | 'accepted' | 'rejected'>;

/** An application. Contract: 2.10, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md */
export interface Application {
  readonly id: string;
  /** Your own id from the submission; null if the submission had none. */
  readonly sourceApplicationId: string | null;
  readonly jobId: string;
  readonly status: ApplicationStatus;
  /** A label to display. Contract: 2.13, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md */
  readonly currentStage: Open<
    'Initial Outreach' | 'Video Interview' | 'Under Review' | 'Final Review' | 'Hired' | 'Closed'
  >;
  readonly submittedAt: string;
  readonly lastStatusChangeAt: string;
}

/**
 * The response to an accepted submission.
 * Contract: 6.13, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export interface CreatedApplication {
  readonly id: string;
  readonly sourceApplicationId: string | null;
  readonly jobId: string;
  readonly status: ApplicationStatus;
  readonly createdAt: string;
}

interface EventOf<Type extends string, Data> {
  /** The same each time. Process each id once. */
  readonly id: string;
  readonly type: Type;
  /** When it occurred. */
  readonly createdAt: string;
  readonly apiVersion: 'v1';
  readonly data: Data;
}

/** The types of events that this version knows. */
export type KnownEventType = 'application.status_changed' | 'job.opened' | 'job.closed';

/**
 * The type of an event that this version does not know. At runtime, the value is a plain string such as `job.paused`.
 * The template type only helps the compiler to narrow events: TypeScript has no type for "any other string".
 */
export type UnknownEventType = `unknown to this version: ${string}`;

/** The `data` of `application.status_changed`. */
export interface StatusChange {
  readonly applicationId: string;
  /** Your own id; null if the submission had none. */
  readonly sourceApplicationId: string | null;
  readonly jobId: string;
  readonly oldStatus: ApplicationStatus;
  readonly newStatus: Open<'accepted' | 'rejected'>;
  /** A label to display, such as `Hired`. */
  readonly currentStage: string;
  readonly occurredAt: string;
}

/** The `data` of `job.opened`. */
export interface JobOpening {
  readonly jobId: string;
  readonly companyId: string;
  readonly title: string;
  readonly openedAt: string;
}

/** The `data` of `job.closed`. */
export interface JobClosing {
  readonly jobId: string;
  readonly companyId: string;
  readonly reason: Open<'closed_by_customer' | 'access_revoked' | 'internal_sourcing_only'>;
  readonly closedAt: string;
}

/**
 * An event, as `GET /events` lists it and a webhook sends it. Compare `type` to narrow it. It is the `PartnerEvent` of
 * `@partner-hiring/webhook-verifier`, so one function can handle both.
 */
export type FetchedEvent =
  | EventOf<'application.status_changed', StatusChange>
  | EventOf<'job.opened', JobOpening>
  | EventOf<'job.closed', JobClosing>
  | EventOf<UnknownEventType, Readonly<Record<string, unknown>>>;

/** Why an endpoint did not accept an event. */
export interface WebhookFailure {
  /**
   * `status`: it answered with another status than 2xx. `timeout`: it did not answer in time. `tls`: no TLS connection.
   * `refused`: no HTTP connection, or no public address.
   */
  readonly kind: Open<'status' | 'timeout' | 'tls' | 'refused'>;
  /** The HTTP status. Null without an answer. */
  readonly status: number | null;
}

/** The webhook endpoint of your key. */
export interface WebhookEndpoint {
  readonly url: string;
  readonly state: Open<'active' | 'paused'>;
  /** Null while it is active. `partner`: you paused it. */
  readonly pausedReason: Open<'partner' | 'operator' | 'consecutive_failures' | 'no_success' | 'gone'> | null;
  readonly pausedAt: string | null;
  /** The first failed attempt since the last success. */
  readonly failingSince: string | null;
  readonly consecutiveFailures: number;
  readonly lastSuccessAt: string | null;
  readonly lastFailure: WebhookFailure | null;
  readonly createdAt: string;
}

/** The endpoint after a change of its URL. */
export interface ChangedWebhookEndpoint extends WebhookEndpoint {
  /** Only for a new endpoint, and only in this response. Store it: it verifies signatures. */
  readonly signingSecret?: string | undefined;
}

/** The result of a test event. */
export interface WebhookTest {
  /** It has ten zeros after `evt_`. */
  readonly eventId: string;
  readonly delivered: boolean;
  /** Null if it was delivered. */
  readonly failure: WebhookFailure | null;
  readonly latencyMs: number;
}

/** A new signing secret. */
export interface RotatedWebhookSecret {
  /** Only in this response. Store it. */
  readonly signingSecret: string;
  /** Until then, each event is signed with the old secrets too. */
  readonly oldSecretsExpireAt: string;
}

/** The state of a delivery. `dead`: ten attempts failed. Send the event again to start over. */
export type WebhookDeliveryState = Open<'pending' | 'delivered' | 'dead' | 'cancelled'>;

/** An event on its way to your endpoint. */
export interface WebhookDelivery {
  readonly eventId: string;
  readonly type: Open<KnownEventType>;
  readonly occurredAt: string;
  readonly state: WebhookDeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly deliveredAt: string | null;
  /** Why the last attempt failed. Null if it did not. */
  readonly lastFailure: WebhookFailure | null;
}

/** A delivery that is resent. */
export interface ResentWebhookEvent {
  readonly eventId: string;
  readonly state: WebhookDeliveryState;
}

/** Events that are being resent. */
export interface WebhookResend {
  readonly since: string;
  readonly state: Open<'running'>;
}

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A candidate. Control characters and bidirectional overrides are rejected, except around a phone number.
 * Contract: 6, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export interface Candidate {
  /** 1 to 100 characters, at least one visible. */
  readonly firstName: string;
  /** 1 to 100 characters, at least one visible. */
  readonly lastName: string;
  /** At most 64 characters before the `@`. The service ignores white space and invisible marks around it. */
  readonly email: string;
  /**
   * Preferably in E.164. The service reads a national number in the job's country. It ignores white space, invisible
   * marks and `tel:` around the number, and rejects extensions.
   */
  readonly phone: string;
}

/** A submission. Contract: 6, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md */
export interface NewSubmission {
  readonly jobId: string;
  readonly candidate: Candidate;
  /** Consent to SMS and e-mail. */
  readonly consentToContact: true;
  /** 1 to 128 characters, unique among your submissions. Required, to prevent a second application. */
  readonly sourceApplicationId: string;
  /** The channel that the candidate came from, at most 100 characters. */
  readonly source?: string | null | undefined;
  /** The answers, by the `key` of the job's questions. `''` for an optional date, URL or select means no answer. */
  readonly applicationFormAnswers?: Readonly<Record<string, Json>> | null | undefined;
  /** A URL without credentials. The service follows at most five redirects, and encodes blanks in it. */
  readonly resumeUrl?: string | null | undefined;
}
