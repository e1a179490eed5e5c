import type { FormQuestion } from '../../domain/application-form.js';
import type { JobDetails } from '../../domain/job.js';
import {
  type Inspection,
  inspectKnownNames,
  inspectName,
  inspectRecord,
  isLine,
  LINE_RULE,
} from '../input.js';

/** The details of a job. An optional field that is null or omitted is unset. */
export interface JobDetailsInput {
  readonly title: string;
  /** `city` and `state` may be empty, for remote jobs and countries without states. */
  readonly location: JobDetails['location'];
  readonly compensation: {
    readonly type?: 'hourly' | undefined;
    /** The lowest pay per hour, in units of the currency. */
    readonly min?: number | null | undefined;
    readonly max?: number | null | undefined;
    /** ISO 4217, e.g. `USD`. */
    readonly currency: string;
  };
  /** Such as `full_time`. */
  readonly schedule?: string | null | undefined;
  /** `total` is the number of hires wanted. `filled` is the number already made, 0 by default. */
  readonly headcount?:
    | { readonly total?: number | null | undefined; readonly filled?: number | undefined }
    | undefined;
  readonly applicationFormSchema?: readonly FormQuestion[] | null | undefined;
}

const PLACE_MAX_LENGTH = 200;
const SCHEDULE_MAX_LENGTH = 100;
const MAX_QUESTIONS = 100;
const MAX_OPTIONS = 500;
const SELECT_TYPES: readonly unknown[] = ['single_select', 'multi_select'];

export const DETAIL_NAMES = [
  'title',
  'location',
  'compensation',
  'schedule',
  'headcount',
  'applicationFormSchema',
] as const satisfies readonly (keyof JobDetailsInput)[];

const LOCATION_NAMES = ['city', 'state', 'country'] as const;
const COMPENSATION_NAMES = ['type', 'min', 'max', 'currency'] as const;
const HEADCOUNT_NAMES = ['total', 'filled'] as const;
const QUESTION_NAMES = ['key', 'label', 'type', 'required', 'options'] as const;
const OPTION_NAMES = ['value', 'label'] as const;

export function inspectDetails(inspection: Inspection, input: JobDetailsInput, at = ''): void {
  inspectName(inspection, input.title, `${at}title`);
  inspectLocation(inspection, fieldsOf(input.location), `${at}location`);
  inspectCompensation(inspection, fieldsOf(input.compensation), `${at}compensation`);
  if (given(input.schedule)) inspectName(inspection, input.schedule, `${at}schedule`, SCHEDULE_MAX_LENGTH);
  if (given(input.headcount)) inspectHeadcount(inspection, input.headcount, `${at}headcount`);
  if (given(input.applicationFormSchema)) {
    inspectQuestions(inspection, input.applicationFormSchema, `${at}applicationFormSchema`);
  }
}

/** Copies the known fields, for inputs that were checked. */
export function completeDetails(input: JobDetailsInput): JobDetails {
  const { title, location, compensation, schedule, headcount, applicationFormSchema } = input;
  return {
    title,
    location: { city: location.city, state: location.state, country: location.country },
    compensation: {
      type: 'hourly',
      min: compensation.min ?? null,
      max: compensation.max ?? null,
      currency: compensation.currency,
    },
    schedule: schedule ?? null,
    headcount: { total: headcount?.total ?? null, filled: headcount?.filled ?? 0 },
    applicationFormSchema: applicationFormSchema?.map(completeQuestion) ?? null,
  };
}

function completeQuestion({ key, label, type, required, options }: FormQuestion): FormQuestion {
  const question = { key, label, type, required };
  return options === undefined
    ? question
    : { ...question, options: options.map(({ value, label }) => ({ value, label })) };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function inspectLocation(inspection: Inspection, location: Fields, at: string): void {
  inspectKnownNames(inspection, location, LOCATION_NAMES, `${at}.`);
  const { city, state, country } = location;
  const rule = `must be text of at most ${PLACE_MAX_LENGTH} characters, or empty, ${LINE_RULE}`;
  inspection.expect(isLine(city, PLACE_MAX_LENGTH), `${at}.city`, rule);
  inspection.expect(isLine(state, PLACE_MAX_LENGTH), `${at}.state`, rule);
  inspectName(inspection, country, `${at}.country`, PLACE_MAX_LENGTH);
}

function inspectCompensation(inspection: Inspection, fields: Fields, at: string): void {
  inspectKnownNames(inspection, fields, COMPENSATION_NAMES, `${at}.`);
  const { type = 'hourly', min = null, max = null, currency } = fields;
  inspection.expect(type === 'hourly', `${at}.type`, 'must be hourly');
  inspection.expect(isAmount(min), `${at}.min`, 'must be a number of at least 0, or null');
  inspection.expect(isAmount(max), `${at}.max`, 'must be a number of at least 0, or null');
  const isRange = typeof min !== 'number' || typeof max !== 'number' || !(min > max);
  inspection.expect(isRange, `${at}.min`, 'must not exceed max');
  const isCode = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency);
  inspection.expect(isCode, `${at}.currency`, 'must be an ISO 4217 code such as USD');
}

function isAmount(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}

function inspectHeadcount(inspection: Inspection, headcount: unknown, at: string): void {
  inspectRecord(inspection, headcount, at);
  inspectKnownNames(inspection, fieldsOf(headcount), HEADCOUNT_NAMES, `${at}.`);
  const { total = null, filled = 0 } = fieldsOf(headcount);
  const rule = 'must be an integer of at least 0';
  inspection.expect(total === null || isCount(total), `${at}.total`, `${rule}, or null`);
  inspection.expect(isCount(filled), `${at}.filled`, rule);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function inspectQuestions(inspection: Inspection, questions: unknown, at: string): void {
  if (!Array.isArray(questions) || questions.length > MAX_QUESTIONS) {
    inspection.expect(false, at, `must be null or a list of at most ${MAX_QUESTIONS} questions`);
    return;
  }
  const asked = questions.map(fieldsOf);
  for (const [index, question] of asked.entries()) inspectQuestion(inspection, question, `${at}[${index}]`);
  inspection.expect(isDistinct(asked.map(({ key }) => key)), at, 'must give each question a unique key');
}

function inspectQuestion(inspection: Inspection, question: Fields, at: string): void {
  inspectKnownNames(inspection, question, QUESTION_NAMES, `${at}.`);
  const { key, label, type, required, options } = question;
  inspectName(inspection, key, `${at}.key`);
  inspection.expect(key !== '__proto__', `${at}.key`, 'must not be __proto__, which some JSON parsers drop');
  inspectName(inspection, label, `${at}.label`);
  inspectName(inspection, type, `${at}.type`);
  inspection.expect(typeof required === 'boolean', `${at}.required`, 'must be true or false');
  if (SELECT_TYPES.includes(type) || options !== undefined)
    inspectOptions(inspection, options, `${at}.options`);
}

function inspectOptions(inspection: Inspection, options: unknown, at: string): void {
  if (!Array.isArray(options) || options.length === 0 || options.length > MAX_OPTIONS) {
    inspection.expect(false, at, `must be a list of 1 to ${MAX_OPTIONS} options`);
    return;
  }
  const choices = options.map(fieldsOf);
  for (const [index, choice] of choices.entries()) {
    const { value, label } = choice;
    inspectKnownNames(inspection, choice, OPTION_NAMES, `${at}[${index}].`);
    inspectName(inspection, value, `${at}[${index}].value`);
    inspectName(inspection, label, `${at}[${index}].label`);
  }
  const values = choices.map(({ value }) => value);
  inspection.expect(isDistinct(values), at, 'must give each option a unique value');
}

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}
