import type { ApplicationId } from '../domain/ids.js';
import type { Repositories } from '../ports/storage.js';
import { findEvents } from './candidates/erase-applications.js';
import { type DeliveryDetails, describeStanding, findStandings } from './deliveries/find-delivery.js';
import { applicationNotFound } from './find-or-throw.js';

/**
 * Finds the event by its stamp, which is also the stamp of the application's last status change. The table of events
 * therefore needs no index by application.
 */
export async function listEventsOf(
  read: Repositories,
  id: ApplicationId,
): Promise<readonly DeliveryDetails[]> {
  const [application] = await read.applications.find([id]);
  if (!application) throw applicationNotFound(id);
  const events = await findEvents({ tx: read }, [application]);
  const ids = events.map((event) => event.id);
  const standings = await findStandings(read, application.keyId, ids);
  const details: DeliveryDetails[] = [];
  for (const standing of standings)
    if (standing !== null) details.push(await describeStanding(read, standing));
  return details;
}
