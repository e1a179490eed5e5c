/** A company that employs. Spec: Resources, Job, `company.id`. */
export type CompanyId = `co_${string}`;
/** A job. Spec: Resources, Job, `id`. */
export type JobId = `job_${string}`;
/** An application. Partners treat it as an opaque string. Spec: Resources, Application, `id`. */
export type ApplicationId = `ej_app_${string}`;
/** An event; the same on every attempt to deliver it. Spec: Resources, Webhook event envelope, `id`. */
export type EventId = `evt_${string}`;
/** An applicant-tracking system that holds keys. */
export type PartnerId = `ptn_${string}`;
/** The stable identity behind a key's changing secrets. */
export type KeyId = `key_${string}`;
/** An alert to the operator; the same however often it is handed over. */
export type AlertId = `alr_${string}`;

/** The prefix of each kind of identifier. */
export const ID_PREFIXES = {
  company: 'co_',
  job: 'job_',
  application: 'ej_app_',
  event: 'evt_',
  partner: 'ptn_',
  key: 'key_',
  alert: 'alr_',
} as const;

/** A kind of thing that has identifiers of its own. */
export type IdKind = keyof typeof ID_PREFIXES;

/** The identifier type of a kind. */
export type IdOf<Kind extends IdKind> = `${(typeof ID_PREFIXES)[Kind]}${string}`;

const HOST_PART = /^[A-Za-z0-9_-]{1,120}$/;

/**
 * Whether a text may serve as an identifier of that kind: the right prefix, then 1 to 120 of
 * `A-Z a-z 0-9 _ -`. A host that brings its own company and job ids is held to this form.
 */
export function isIdOf<Kind extends IdKind>(kind: Kind, text: string): text is IdOf<Kind> {
  const prefix = ID_PREFIXES[kind];
  return text.startsWith(prefix) && HOST_PART.test(text.slice(prefix.length));
}
