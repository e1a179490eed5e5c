import * as z from 'zod';
import { APPLICATION_STATUSES, STAGE_LABELS } from '../../domain/application.js';
import { KNOWN_QUESTION_TYPES } from '../../domain/application-form.js';
import { API_VERSION, type EventData, type EventType } from '../../domain/event.js';
import { ID_PREFIXES, type IdKind, idMaxLength } from '../../domain/ids.js';
import { NAME_MAX_LENGTH, PLACE_MAX_LENGTH, SCHEDULE_MAX_LENGTH } from '../../domain/job.js';
import { SOURCE_ID_MAX } from '../submission-schema.js';

/** The length of `2026-11-21T10:15:30.123Z`. */
const DATE_TIME_LENGTH = 24;
/** Longer than the cursors of this version, so that a later one can change them. */
const CURSOR_MAX_LENGTH = 200;
/** Longer than the known values, so that v1 can add others. Decision 29. */
const OPEN_ENUM_MAX_LENGTH = 100;

export const dateTime = () => z.string().meta({ format: 'date-time', maxLength: DATE_TIME_LENGTH });

export const idOf = (kind: IdKind) =>
  z.string().meta({ pattern: `^${ID_PREFIXES[kind]}`, maxLength: idMaxLength(kind) });

/**
 * Describes returned text of at most `max` code points. `maxLength` allows two for each, because most validators that
 * are generated from the document count UTF-16 units.
 */
export const textUpTo = (max: number) => z.string().meta({ maxLength: 2 * max });

/** Returned text that the host gave. */
const hostText = () => textUpTo(NAME_MAX_LENGTH);

/** The keyword of an enum that v1 may extend. The document has it in place of `enum`. */
export const OPEN_ENUM = 'x-extensible-enum';

/** Describes a returned enum to which v1 may add values. `about` says what it means. Decision 29. */
export function openEnum<const Value extends string>(values: readonly Value[], about: string) {
  const known = values.map((value) => `\`${value}\``).join(', ');
  return z
    .enum(values)
    .meta({ [OPEN_ENUM]: values, maxLength: OPEN_ENUM_MAX_LENGTH })
    .describe(`${about} Known values: ${known}. Expect others.`);
}

export const sourceApplicationId = () =>
  textUpTo(SOURCE_ID_MAX)
    .nullable()
    .describe(
      'Your own identifier, as you sent it; null if you sent none, or after an erasure that cleared it.',
    );

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Compiles only if the two types are assignable to each other. */
export function same<A, B>(_isSame: Same<A, B>): void {}

export const optionSchema = z
  .object({ value: hostText().describe('What the answer holds.'), label: hostText() })
  .describe('One choice of a select question.');

/** Contract: 2.8. */
export const questionSchema = z
  .object({
    key: hostText().describe('The key of the answer in `applicationFormAnswers`.'),
    label: hostText(),
    type: hostText().describe(
      `An open string. Known types: ${KNOWN_QUESTION_TYPES.map((type) => `\`${type}\``).join(', ')}. Show a text field for a type that you do not know; any text, number or boolean answers it.`,
    ),
    required: z.boolean(),
    options: z
      .array(optionSchema)
      .optional()
      .describe('The choices of `single_select` and `multi_select`; absent otherwise.'),
  })
  .describe('A question that the job asks besides the candidate.');

/** Contract: 2.2. */
export const jobSchema = z
  .object({
    id: idOf('job'),
    title: hostText(),
    company: z.object({ id: idOf('company'), name: hostText() }).describe('The employer.'),
    location: z.object({
      city: textUpTo(PLACE_MAX_LENGTH).describe('Empty if there is none, as of a remote job.'),
      state: textUpTo(PLACE_MAX_LENGTH).describe('Empty where there are none.'),
      country: textUpTo(PLACE_MAX_LENGTH).describe(
        'ISO 3166-1 alpha-2, such as `US`, or any other text, such as `Remote`, if the country is not known. A phone ' +
          'number without a country code must be valid in this country.',
      ),
    }),
    compensation: z.object({
      type: openEnum(['hourly'], 'Always `hourly` today.'),
      min: z.number().nullable(),
      max: z.number().nullable(),
      currency: z.string().meta({ pattern: '^[A-Z]{3}$', maxLength: 3 }).describe('ISO 4217.'),
    }),
    schedule: textUpTo(SCHEDULE_MAX_LENGTH)
      .nullable()
      .describe('Employment type, for example `full_time`, `part_time`, `contract`.'),
    status: openEnum(['open'], 'Only jobs that are open to you are listed.'),
    headcount: z.object({
      total: z.int().min(0).nullable().describe('Target hires; null if unset.'),
      filled: z.int().min(0).describe('Current hires.'),
    }),
    createdAt: dateTime(),
    updatedAt: dateTime().describe(
      'When the job last changed for you: a job that you were just granted is new.',
    ),
    applicationFormSchema: z
      .array(questionSchema)
      .nullable()
      .describe("The job's own questions; null if it has none."),
  })
  .describe('An open job of a company that has let you in.');

export const jobPageSchema = z.object({ data: z.array(jobSchema), next_cursor: nextCursor() });

export type WireJob = z.infer<typeof jobSchema>;
export type WireQuestion = z.infer<typeof questionSchema>;

export function nextCursor() {
  return z
    .string()
    .meta({ maxLength: CURSOR_MAX_LENGTH })
    .optional()
    .describe('Pass it as `cursor` to read on. Absent on the last page.');
}

/** Contract: 2.12. */
export const statusSchema = openEnum(
  APPLICATION_STATUSES,
  '`received`: submitted. `in_progress`: being evaluated. `accepted`: hired, final. `rejected`: not selected, final.',
);

/** Contract: 2.13. */
export const stageLabelSchema = openEnum(
  Object.values(STAGE_LABELS),
  'A label for people. Decide by the status.',
);

/** Contract: 2.10. */
export const applicationSchema = z
  .object({
    id: idOf('application').describe('An opaque string.'),
    sourceApplicationId: sourceApplicationId(),
    jobId: idOf('job'),
    status: statusSchema,
    currentStage: stageLabelSchema,
    submittedAt: dateTime(),
    lastStatusChangeAt: dateTime(),
  })
  .describe('An application that you submitted.');

export const createdApplicationSchema = z
  .object({
    id: idOf('application').describe('An opaque string.'),
    sourceApplicationId: sourceApplicationId(),
    jobId: idOf('job'),
    status: openEnum(['received'], 'The status at the submission, also in a replay.'),
    createdAt: dateTime(),
  })
  .describe('An application that was just submitted.');

export const applicationPageSchema = z.object({
  data: z.array(applicationSchema),
  next_cursor: nextCursor(),
});

export type WireApplication = z.infer<typeof applicationSchema>;
export type WireCreatedApplication = z.infer<typeof createdApplicationSchema>;

const dataSchemas = {
  'application.status_changed': z.object({
    applicationId: idOf('application'),
    sourceApplicationId: sourceApplicationId(),
    jobId: idOf('job'),
    oldStatus: statusSchema,
    newStatus: openEnum(['accepted', 'rejected'], 'The status of the application now.'),
    currentStage: stageLabelSchema,
    occurredAt: dateTime(),
  }),
  'job.opened': z.object({
    jobId: idOf('job'),
    companyId: idOf('company'),
    title: hostText(),
    openedAt: dateTime(),
  }),
  'job.closed': z.object({
    jobId: idOf('job'),
    companyId: idOf('company'),
    reason: openEnum(
      ['closed_by_customer', 'access_revoked', 'internal_sourcing_only'],
      'Why you no longer see the job.',
    ),
    closedAt: dateTime(),
  }),
};
type Data = { [Type in EventType]: z.infer<(typeof dataSchemas)[Type]> };
same<Data, EventData>(true);

/** Contract: 10.2. */
export function eventSchema(type: EventType): z.ZodObject {
  return z.object({
    id: idOf('event').describe('The same on every attempt: remember it, and skip what you have seen.'),
    type: z.literal(type),
    createdAt: dateTime().describe('When it occurred, not when it was delivered.'),
    apiVersion: z.literal(API_VERSION),
    data: dataSchemas[type],
  });
}
