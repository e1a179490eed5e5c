import type { TimelineEntry } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';

/** The page of what an entry of a timeline is about. Null if there is none, or if the actor may not open it. */
export function entryLink({ link }: Pick<ScreenCall, 'link'>, entry: TimelineEntry): string | null {
  switch (entry.kind) {
    case 'submitted':
      return link('applications', `/${entry.applicationId}`);
    case 'request':
      return link('requests', `/${entry.request.requestId}`);
    case 'event':
    case 'delivered':
      return link('deliveries', `/${entry.keyId}/${entry.eventId}`);
    case 'attempt':
      return link('deliveries', `/${entry.attempt.keyId}/${entry.attempt.eventId}`);
    default:
      return null;
  }
}
