/** The fields of the inputs of job commands. */
import { type JobState, PLACE_MAX_LENGTH, SCHEDULE_MAX_LENGTH } from '../../domain/job.js';
import {
  distinctBy,
  flag,
  id,
  line,
  listField,
  name,
  newId,
  nullIsOmitted,
  oneOf,
  only,
  optional,
  orNull,
  value,
} from '../../operator/command/fields.js';
import { type BrokenRule, object } from '../../operator/command/input.js';

const MAX_QUESTIONS = 100;
const MAX_OPTIONS = 500;
const SELECT_TYPES: readonly string[] = ['single_select', 'multi_select'];

export const JOB_STATES = ['open', 'closed', 'archived'] as const satisfies readonly JobState[];

const location = object({
  city: line(PLACE_MAX_LENGTH),
  state: line(PLACE_MAX_LENGTH),
  country: name(PLACE_MAX_LENGTH),
});

const amount = value<number | null>(
  (given) => given === null || (typeof given === 'number' && Number.isFinite(given) && given >= 0),
  'must be a number of at least 0, or null',
);

const compensation = object(
  {
    type: optional(only('hourly')),
    min: optional(amount),
    max: optional(amount),
    currency: value<string>(
      (given) => typeof given === 'string' && /^[A-Z]{3}$/.test(given),
      'must be an ISO 4217 code such as USD',
    ),
  },
  ({ min, max }) =>
    typeof min === 'number' && typeof max === 'number' && min > max
      ? [{ at: ['min'], rule: 'must not exceed max' }]
      : [],
);

const COUNT_RULE = 'must be an integer of at least 0';

function isCount(given: unknown): boolean {
  return Number.isSafeInteger(given) && Number(given) >= 0;
}

const headcount = object({
  total: optional(
    value<number | null>((given) => given === null || isCount(given), `${COUNT_RULE}, or null`),
  ),
  filled: optional(value<number>(isCount, COUNT_RULE)),
});

const options = listField(object({ value: name(), label: name() }), {
  min: 1,
  max: MAX_OPTIONS,
  rule: `must be a list of 1 to ${MAX_OPTIONS} options`,
  rules: (choices) => distinctBy(choices, (choice) => choice.value, 'must give each option a unique value'),
});

const question = object(
  {
    key: name().refine((key) => key !== '__proto__', {
      error: 'must not be __proto__, which some JSON parsers drop',
    }),
    label: name(),
    type: name(),
    required: flag,
    options: optional(options),
  },
  ({ type, options: given }) =>
    SELECT_TYPES.includes(type) && given === undefined
      ? [{ at: ['options'], rule: `must be a list of 1 to ${MAX_OPTIONS} options` }]
      : [],
);

const questions = listField(question, {
  max: MAX_QUESTIONS,
  rule: `must be null or a list of at most ${MAX_QUESTIONS} questions`,
  rules: (asked) => distinctBy(asked, ({ key }) => key, 'must give each question a unique key'),
});

const title = name();

const optionalDetails = {
  schedule: optional(orNull(name(SCHEDULE_MAX_LENGTH)), 'E.g. full_time, part_time, contract'),
  headcount: nullIsOmitted(headcount),
  applicationFormSchema: optional(orNull(questions)),
};

/** The details of a job. */
export const jobDetails = { title, location, compensation, ...optionalDetails };

/** The state of a new job. */
export const firstState = optional(oneOf(JOB_STATES), 'The first state, default open');

/** The fields of a new job. */
export const newJob = {
  id: newId('job'),
  companyId: id('company'),
  state: firstState,
  internalOnly: optional(flag, 'Hides the job from all partners'),
  ...jobDetails,
};

/** The rules of a list of new jobs. */
export function newJobRules(jobs: readonly { readonly id?: string | undefined }[]): readonly BrokenRule[] {
  const ids = jobs.flatMap((job) => job.id ?? []);
  return distinctBy(ids, (id) => id, 'must not contain an id twice');
}

/** New details. Each may be omitted. */
export const jobUpdate = object({
  companyId: optional(id('company')),
  title: optional(title),
  location: optional(location),
  compensation: optional(compensation),
  ...optionalDetails,
});
