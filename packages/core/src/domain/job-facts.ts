import type { FormQuestion } from './application-form.js';
import type { AuditFields } from './audit.js';
import { type Fact, isSameJson } from './fact.js';
import { fingerprintJson } from './idempotency.js';
import type { Job, JobDetails } from './job.js';

/** The details of a job that the host gives. `unknownCountry` follows from `location`. */
type DetailName = Exclude<keyof JobDetails, 'unknownCountry'>;
type FieldName = DetailName | 'companyId' | 'state' | 'internalOnly';

interface JobFact {
  readonly label: Fact['label'];
  readonly show: (job: Job) => Fact['value'];
  /** What the audit records. By default, the value. */
  readonly audited?: (job: Job) => unknown;
}

const DETAILS: Readonly<Record<DetailName, JobFact>> = {
  title: { label: 'Title', show: ({ title }) => title },
  location: { label: 'Place', show: placeText },
  compensation: { label: 'Pay an hour', show: payText },
  schedule: { label: 'Schedule', show: ({ schedule }) => schedule?.replaceAll('_', ' ') ?? null },
  headcount: {
    label: 'Hires',
    show: ({ headcount: { total, filled } }) => `${filled} of ${total ?? 'any number'}`,
  },
  applicationFormSchema: {
    label: 'Questions',
    show: ({ applicationFormSchema }) => applicationFormSchema?.map(questionText) ?? null,
    audited: auditedQuestions,
  },
};

/**
 * The fields of a job that the host can change. Syncs and commands compare these fields, the audit records their changes,
 * and the console and the command line show them.
 */
const FIELDS: Readonly<Record<FieldName, JobFact>> = {
  companyId: { label: 'Company', show: ({ companyId }) => companyId },
  state: { label: 'State', show: ({ state }) => state },
  internalOnly: { label: 'Internal only', show: ({ internalOnly }) => (internalOnly ? 'yes' : 'no') },
  ...DETAILS,
};

const DETAIL_NAMES = Object.keys(DETAILS) as readonly DetailName[];
const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[];

/** The labels of the fields of a job that the host can change. */
export const JOB_LABELS = Object.fromEntries(
  FIELD_NAMES.map((field) => [field, FIELDS[field].label]),
) as Readonly<Record<FieldName, string>>;

/**
 * Returns the fields of a job that the host can change, with their labels.
 * @example
 * for (const { label, value } of describeJob(job)) console.log(`${label}: ${value}`);
 */
export function describeJob(job: Job): readonly Fact<FieldName>[] {
  return FIELD_NAMES.map((field) => ({ field, label: FIELDS[field].label, value: FIELDS[field].show(job) }));
}

/** Returns whether two jobs have equal details. */
export function haveSameDetails(one: JobDetails, other: JobDetails): boolean {
  return DETAIL_NAMES.every((field) => isSameJson(one[field], other[field]));
}

/** Returns whether partners see two versions of a job alike. */
export function isSameJob(one: Job, other: Job): boolean {
  return FIELD_NAMES.every((field) => isSameJson(one[field], other[field]));
}

/** Returns the fields of a job whose changes the audit records. */
export function auditedFieldsOf(job: Job): AuditFields {
  return Object.fromEntries(FIELD_NAMES.map((field) => [field, FIELDS[field].audited?.(job) ?? job[field]]));
}

function placeText({ location: { city, state, country }, unknownCountry }: JobDetails): string {
  const place = [city, state, country].filter((one) => one !== '').join(', ');
  return unknownCountry ? `${place} (not a known country, so phone numbers need a country code)` : place;
}

function payText({ compensation: { min, max, currency } }: JobDetails): string {
  if (min === null && max === null) return `not given, ${currency}`;
  if (min !== null && max !== null) return `${min === max ? min : `${min} to ${max}`} ${currency}`;
  return `${min === null ? `up to ${max}` : `from ${min}`} ${currency}`;
}

/** Returns such as `shift: Which shift? (single_select, required: am Morning, pm Evening)`. */
function questionText({ key, label, type, required, options = [] }: FormQuestion): string {
  const choices = options.map((option) => `${option.value} ${option.label}`).join(', ');
  const rules = `${type}, ${required ? 'required' : 'optional'}${choices === '' ? '' : `: ${choices}`}`;
  return `${key}: ${label} (${rules})`;
}

/** Bounds the size of an entry. */
const KEYS_NAMED = 20;
const KEY_LENGTH = 40;
const DIGEST_LENGTH = 16;

/** The form is long, so the audit only names its questions. The digest shows whether their texts have changed. */
function auditedQuestions({ applicationFormSchema: form }: JobDetails): unknown {
  return (
    form && {
      keys: form.slice(0, KEYS_NAMED).map(({ key }) => key.slice(0, KEY_LENGTH)),
      digest: fingerprintJson(form).slice(0, DIGEST_LENGTH),
    }
  );
}
