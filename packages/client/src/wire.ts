/**
 * A value of an enum that may grow within v1: the known ones complete in an editor, and any other string may
 * come. Have a default case.
 */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** One choice of a `single_select` or `multi_select` question. */
export interface FormOption {
  readonly value: string;
  readonly label: string;
}

/** A question that a job asks besides the candidate's name. Spec: Resources, Job, `applicationFormSchema`. */
export interface FormQuestion {
  /** What its answer stands under in `applicationFormAnswers`. */
  readonly key: string;
  readonly label: string;
  /** Show a text field for a type that you do not know. */
  readonly type: Open<
    'boolean' | 'short_text' | 'long_text' | 'number' | 'date' | 'url' | 'single_select' | 'multi_select'
  >;
  readonly required: boolean;
  /** The choices of a select; absent of other types. */
  readonly options?: readonly FormOption[] | undefined;
}

/** An open job. Spec: Resources, Job. */
export interface Job {
  readonly id: string;
  readonly title: string;
  readonly company: { readonly id: string; readonly name: string };
  readonly location: { readonly city: string; readonly state: string; readonly country: string };
  readonly compensation: {
    readonly type: Open<'hourly'>;
    readonly min: number | null;
    readonly max: number | null;
    readonly currency: string;
  };
  /** Employment type, e.g. `full_time`; null if the employer named none. */
  readonly schedule: string | null;
  readonly status: Open<'open'>;
  /** `total` is null where the employer set none. */
  readonly headcount: { readonly total: number | null; readonly filled: number };
  /** ISO 8601 in UTC, as all instants. */
  readonly createdAt: string;
  /** When it last changed for your key: a job that you were just granted is new. */
  readonly updatedAt: string;
  /** The job's own questions; null if it has none. */
  readonly applicationFormSchema: readonly FormQuestion[] | null;
}

/** Decide by it; `accepted` and `rejected` are final. Spec: Resources, Application, status meanings. */
export type ApplicationStatus = Open<'received' | 'in_progress' | 'accepted' | 'rejected'>;

/** An application as it is read. Spec: Resources, Application. */
export interface Application {
  readonly id: string;
  /** Your own identifier; null if it was submitted without one. */
  readonly sourceApplicationId: string | null;
  readonly jobId: string;
  readonly status: ApplicationStatus;
  /** A label for people. Spec: Resources, Application, current stage labels. */
  readonly currentStage: Open<
    'Initial Outreach' | 'Video Interview' | 'Under Review' | 'Final Review' | 'Hired' | 'Closed'
  >;
  readonly submittedAt: string;
  readonly lastStatusChangeAt: string;
}

/** An application as its submission was answered. Spec: `POST /applications`, response 201. */
export interface CreatedApplication {
  readonly id: string;
  readonly sourceApplicationId: string | null;
  readonly jobId: string;
  readonly status: ApplicationStatus;
  readonly createdAt: string;
}

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The person whom you submit. No field may contain control characters or bidirectional overrides.
 * Spec: `POST /applications`, request body.
 */
export interface Candidate {
  /** 1 to 100 characters, at least one of them visible. */
  readonly firstName: string;
  /** 1 to 100 characters, at least one of them visible. */
  readonly lastName: string;
  /** At most 64 characters before the at sign. */
  readonly email: string;
  /** E.164 is best; a national number is read as one of the job's country. An extension is refused. */
  readonly phone: string;
}

/** A candidate for a job. Spec: `POST /applications`, request body. */
export interface NewSubmission {
  readonly jobId: string;
  readonly candidate: Candidate;
  /** The candidate agrees to be contacted by SMS and e-mail; without that there is nothing to submit. */
  readonly consentToContact: true;
  /**
   * Your own identifier of this application, 1 to 128 characters, unique among your submissions. The
   * specification has it optional; this client needs it: keys are kept under it, and it is what prevents a
   * second application once the idempotency key has expired.
   */
  readonly sourceApplicationId: string;
  /** Upstream channel, at most 100 characters. */
  readonly source?: string | null;
  /** Answers by the `key` of the job's questions. */
  readonly applicationFormAnswers?: Readonly<Record<string, Json>> | null;
  /** Where the résumé can be fetched, without redirects or credentials. */
  readonly resumeUrl?: string | null;
}
