import { NothingHere } from '../../gate/refusals.js';

/** Returns what was found. @throws NothingHere if that is null. */
export async function mustFind<Found>(finding: Promise<Found | null>): Promise<Found> {
  const found = await finding;
  if (found === null) throw new NothingHere();
  return found;
}
