import { z } from 'zod';
import { API_VERSION, type EventData, type EventType } from '../../domain/event.js';
import { stageLabelSchema, statusSchema } from './application.js';
import { dateTime, idOf, same, sourceApplicationId } from './scalars.js';

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
