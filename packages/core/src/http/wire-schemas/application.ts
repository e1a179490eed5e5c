import { z } from 'zod';
import { APPLICATION_STATUSES, STAGE_LABELS } from '../../domain/application.js';
import { nextCursor } from './job.js';
import { dateTime, idOf, sourceApplicationId } from './scalars.js';

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
