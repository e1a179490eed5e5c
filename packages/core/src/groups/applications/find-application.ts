import { type ApplicationRecord, type Consent, consentOf } from '../../domain/application.js';
import type { ApplicationId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { AddedDetails } from '../../features/application-details.js';
import type { Runner } from '../../operator/scope.js';

/** An application with the candidate's consent. */
export interface ApplicationDetails extends ApplicationRecord, AddedDetails {
  readonly consent: Consent;
  /** When the next download is due, set only if the résumé is `pending`; null if none waits. */
  readonly resumeDueAt?: Instant | null;
}

export async function findApplication(
  { read, settings: { hooks } }: Pick<Runner, 'read' | 'settings'>,
  id: ApplicationId,
): Promise<ApplicationDetails | null> {
  const [found] = await read.applications.find([id]);
  if (!found) return null;
  let details: ApplicationDetails = { ...found, consent: consentOf(found) };
  for (const { shown } of hooks) details = { ...details, ...(await shown?.(read, found)) };
  if (found.resume.kind !== 'pending') return details;
  const [task] = await read.candidates.findResumeFiles([id]);
  return { ...details, resumeDueAt: task?.dueAt ?? null };
}
