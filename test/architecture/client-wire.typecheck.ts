/**
 * The client's types are what the service sends and takes. The compiler reads this and nobody runs it: where
 * they part, `npm run typecheck` fails.
 */
import type {
  Application,
  ChangedWebhookEndpoint,
  CreatedApplication,
  FieldError,
  FieldErrorCode,
  Job,
  KnownErrorCode,
  NewSubmission,
  PartnerApiError,
  ResentWebhookEvent,
  RotatedWebhookSecret,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookFailure,
  WebhookResend,
  WebhookTest,
} from '@partner-hiring/client';
import type { z } from 'zod';
import type { ApplicationStatus, STAGE_LABELS } from '../../packages/core/src/domain/application.js';
import type { PauseReason } from '../../packages/core/src/domain/endpoint.js';
import type * as core from '../../packages/core/src/domain/field-error.js';
import type { RateScope } from '../../packages/core/src/domain/rate-limit.js';
import type { WireErrorCode } from '../../packages/core/src/domain/wire-errors.js';
import type {
  changedEndpointSchema,
  resendSchema,
  resentSchema,
  rotatedSecretSchema,
  WireEndpoint,
  WireFailure,
  WireOwnDelivery,
  WireTest,
} from '../../packages/core/src/features/self-service/wire-schemas.js';
import type { submissionSchema } from '../../packages/core/src/http/submission-schema.js';
import type {
  WireApplication,
  WireCreatedApplication,
  WireJob,
} from '../../packages/core/src/http/wire-schemas/resources.js';

/** An open enum without its "or anything": the values it names. */
type Named<Value> = Value extends string ? (string extends Value ? never : Value) : never;
/** The named values of `Open<…>`, which has one member that any string fits. */
type NamedIn<Enum extends string> = Enum extends infer Value ? Named<Value> : never;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type SameKeys<A, B> = Same<keyof A, keyof B>;

/** Compiles for `true` alone. */
function holds<_Claim extends true>(): void {}

/** What the service sends is what the client says it reads, with the same fields. */
export function read(job: WireJob, application: WireApplication, created: WireCreatedApplication) {
  const readJob: Job = job;
  const readApplication: Application = application;
  const readCreated: CreatedApplication = created;
  holds<SameKeys<Job, WireJob>>();
  holds<SameKeys<Job['location'], WireJob['location']>>();
  holds<SameKeys<Job['compensation'], WireJob['compensation']>>();
  holds<SameKeys<Job['headcount'], WireJob['headcount']>>();
  holds<SameKeys<Application, WireApplication>>();
  holds<SameKeys<CreatedApplication, WireCreatedApplication>>();
  return [readJob, readApplication, readCreated];
}

/** The same for the replies of `/webhook-endpoint`. */
export function readOwn(sent: {
  readonly endpoint: WireEndpoint;
  readonly changed: z.infer<typeof changedEndpointSchema>;
  readonly test: WireTest;
  readonly rotated: z.infer<typeof rotatedSecretSchema>;
  readonly delivery: WireOwnDelivery;
  readonly resent: z.infer<typeof resentSchema>;
  readonly resend: z.infer<typeof resendSchema>;
}) {
  const endpoint: WebhookEndpoint = sent.endpoint;
  const changed: ChangedWebhookEndpoint = sent.changed;
  const test: WebhookTest = sent.test;
  const rotated: RotatedWebhookSecret = sent.rotated;
  const delivery: WebhookDelivery = sent.delivery;
  const resent: ResentWebhookEvent = sent.resent;
  const resend: WebhookResend = sent.resend;
  holds<SameKeys<WebhookEndpoint, WireEndpoint>>();
  holds<SameKeys<ChangedWebhookEndpoint, z.infer<typeof changedEndpointSchema>>>();
  holds<SameKeys<WebhookFailure, WireFailure>>();
  holds<SameKeys<WebhookTest, WireTest>>();
  holds<SameKeys<RotatedWebhookSecret, z.infer<typeof rotatedSecretSchema>>>();
  holds<SameKeys<WebhookDelivery, WireOwnDelivery>>();
  holds<SameKeys<ResentWebhookEvent, z.infer<typeof resentSchema>>>();
  holds<SameKeys<WebhookResend, z.infer<typeof resendSchema>>>();
  return [endpoint, changed, test, rotated, delivery, resent, resend];
}

/** What the client submits is what the service takes, with the same fields. */
export function submit(submission: NewSubmission): z.input<typeof submissionSchema> {
  holds<SameKeys<NewSubmission, z.input<typeof submissionSchema>>>();
  holds<SameKeys<NewSubmission['candidate'], z.input<typeof submissionSchema>['candidate']>>();
  return submission;
}

/** Neither side has a code, a status, a label or a scope that the other does not name. */
export function enums(error: core.FieldError): FieldError {
  holds<Same<KnownErrorCode, WireErrorCode>>();
  holds<Same<NamedIn<FieldErrorCode>, core.FieldErrorCode>>();
  holds<Same<NamedIn<Application['status']>, ApplicationStatus>>();
  holds<Same<NamedIn<Application['currentStage']>, (typeof STAGE_LABELS)[keyof typeof STAGE_LABELS]>>();
  holds<Same<NamedIn<NonNullable<PartnerApiError['scope']>>, RateScope['kind']>>();
  // A disabled or removed partner has no key that could ask. An endpoint of a claimed copy looks paused by the operator.
  holds<
    Same<
      NamedIn<NonNullable<WebhookEndpoint['pausedReason']>>,
      Exclude<PauseReason, `partner_${string}` | 'copied'>
    >
  >();
  holds<Same<NamedIn<WebhookEndpoint['state']>, WireEndpoint['state']>>();
  holds<Same<NamedIn<WebhookFailure['kind']>, WireFailure['kind']>>();
  holds<Same<NamedIn<WebhookDelivery['state']>, WireOwnDelivery['state']>>();
  holds<Same<NamedIn<WebhookDelivery['type']>, WireOwnDelivery['type']>>();
  // @ts-expect-error It would be seen: a code too few.
  holds<Same<Exclude<KnownErrorCode, 'JOB_CLOSED'>, WireErrorCode>>();
  return error;
}
