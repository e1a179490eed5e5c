import { z } from 'zod';
import { APPLICATION_STATUSES, STAGE_LABELS } from '../../domain/application.js';
import { KNOWN_QUESTION_TYPES } from '../../domain/application-form.js';
import { API_VERSION, type EventData, type EventType } from '../../domain/event.js';
import { ID_PREFIXES } from '../../domain/ids.js';

export const dateTime = () => z.string().meta({ format: 'date-time' });

export const idOf = (kind: keyof typeof ID_PREFIXES) => z.string().meta({ pattern: `^${ID_PREFIXES[kind]}` });

export const sourceApplicationId = () =>
  z
    .string()
    .nullable()
    .describe(
      'Your own identifier, as you sent it; null if you sent none, or after an erasure that cleared it.',
    );

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Compiles only if the two types are assignable to each other. */
export function same<A, B>(_isSame: Same<A, B>): void {}

export const optionSchema = z
  .object({ value: z.string().describe('What the answer holds.'), label: z.string() })
  .describe('One choice of a select question.');

/** Spec: Resources, Job, `applicationFormSchema`. */
export const questionSchema = z
  .object({
    key: z.string().describe('The key of the answer in `applicationFormAnswers`.'),
    label: z.string(),
    type: z
      .string()
      .describe(
        `An open string. Known types: ${KNOWN_QUESTION_TYPES.map((type) => `\`${type}\``).join(', ')}. Show a text field for a type that you do not know; any text, number or boolean answers it.`,
      ),
    required: z.boolean(),
    options: z
      .array(optionSchema)
      .optional()
      .describe('The choices of `single_select` and `multi_select`; absent otherwise.'),
  })
  .describe('A question that the job asks besides the candidate.');

/** Spec: Resources, Job. */
export const jobSchema = z
  .object({
    id: idOf('job'),
    title: z.string(),
    company: z.object({ id: idOf('company'), name: z.string() }).describe('The employer.'),
    location: z.object({
      city: z.string().describe('Empty if there is none, as of a remote job.'),
      state: z.string().describe('Empty where there are none.'),
      country: z
        .string()
        .describe('ISO 3166-1 alpha-2, such as `US`. National phone numbers are read as its numbers.'),
    }),
    compensation: z.object({
      type: z.literal('hourly').describe('Always `hourly` in v1.'),
      min: z.number().nullable(),
      max: z.number().nullable(),
      currency: z.string().meta({ pattern: '^[A-Z]{3}$' }).describe('ISO 4217.'),
    }),
    schedule: z
      .string()
      .nullable()
      .describe('Employment type, for example `full_time`, `part_time`, `contract`.'),
    status: z.literal('open').describe('Only jobs that are open to you are listed.'),
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
  return z.string().optional().describe('Pass it as `cursor` to read on. Absent on the last page.');
}

/** Spec: Resources, Application, status meanings. */
export const statusSchema = z
  .enum(APPLICATION_STATUSES)
  .describe(
    '`received`: submitted. `in_progress`: being evaluated. `accepted`: hired, final. `rejected`: not selected, final.',
  );

/** Spec: Resources, Application, current stage labels. */
export const stageLabelSchema = z.enum(STAGE_LABELS).describe('A label for people. Decide by the status.');

/** Spec: Resources, Application. */
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
    status: z.literal('received'),
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
    newStatus: z.enum(['accepted', 'rejected']),
    currentStage: stageLabelSchema,
    occurredAt: dateTime(),
  }),
  'job.opened': z.object({
    jobId: idOf('job'),
    companyId: idOf('company'),
    title: z.string(),
    openedAt: dateTime(),
  }),
  'job.closed': z.object({
    jobId: idOf('job'),
    companyId: idOf('company'),
    reason: z.enum(['closed_by_customer', 'access_revoked', 'internal_sourcing_only']),
    closedAt: dateTime(),
  }),
};
type Data = { [Type in EventType]: z.infer<(typeof dataSchemas)[Type]> };
same<Data, EventData>(true);

/** Spec: Resources, webhook event envelope. */
export function eventSchema(type: EventType): z.ZodObject {
  return z.object({
    id: idOf('event').describe('The same on every attempt: remember it, and skip what you have seen.'),
    type: z.literal(type),
    createdAt: dateTime().describe('When it occurred, not when it was delivered.'),
    apiVersion: z.literal(API_VERSION),
    data: dataSchemas[type],
  });
}
