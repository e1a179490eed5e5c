import { z } from 'zod';
import { KNOWN_QUESTION_TYPES } from '../../domain/application-form.js';
import { dateTime, idOf } from './scalars.js';

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
