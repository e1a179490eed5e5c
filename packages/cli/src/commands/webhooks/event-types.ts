import type { EventType } from '@partner-hiring/core';

/** All types of events. */
export const EVENT_TYPES = [
  'application.status_changed',
  'job.opened',
  'job.closed',
] as const satisfies readonly EventType[];
