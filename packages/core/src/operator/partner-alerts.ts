import type { NewAlert, PartnerDoor } from '../domain/alert.js';
import { isPartnerActor } from '../domain/audit.js';
import type { AlertId } from '../domain/ids.js';
import type { Scope } from './scope.js';

/** Tells the host what a partner did: its API key, or a link to its portal, may be stolen. */
export async function alertPartnerAct(
  { actor, tx, runtime, workIsDue }: Scope,
  alertOf: (id: AlertId, door: PartnerDoor) => NewAlert,
): Promise<void> {
  if (!isPartnerActor(actor)) return;
  await tx.alerts.add([alertOf(runtime.ids.next('alert'), actor.door === 'portal' ? 'portal' : 'api')]);
  workIsDue();
}
