import { type ApplicationRecord, eventStampOf } from '../../domain/application.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { Scope } from '../../operator/scope.js';

export async function findEvents(
  { tx }: Pick<Scope, 'tx'>,
  applications: readonly ApplicationRecord[],
): Promise<readonly PartnerEvent[]> {
  const stamps = applications.flatMap((application) => eventStampOf(application) ?? []);
  const found = await tx.candidates.findEvents(stamps);
  return found
    .filter((event) => event?.type === 'application.status_changed')
    .filter((event) => event !== null);
}
