/**
 * The client's types are what the service sends and takes. The compiler reads this and nobody runs it: where
 * they part, `npm run typecheck` fails.
 */
import type {
  Application,
  CreatedApplication,
  FieldError,
  FieldErrorCode,
  Job,
  KnownErrorCode,
  NewSubmission,
  PartnerApiError,
} from '@partner-hiring/client';
import type { z } from 'zod';
import type { ApplicationStatus, STAGE_LABELS } from '../../packages/core/src/domain/application.js';
import type * as core from '../../packages/core/src/domain/field-error.js';
import type { RateScope } from '../../packages/core/src/domain/rate-limit.js';
import type { WireErrorCode } from '../../packages/core/src/errors.js';
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
  // @ts-expect-error It would be seen: a code too few.
  holds<Same<Exclude<KnownErrorCode, 'JOB_CLOSED'>, WireErrorCode>>();
  return error;
}
