/** The object does not exist, or belongs to a partner that the actor's rights do not cover. */
export class NothingHere extends Error {
  override readonly name = 'NothingHere';
  constructor() {
    super('There is nothing here.');
  }
}

/** Returns what was found. @throws NothingHere if that is null. */
export async function mustFind<Found>(finding: Promise<Found | null>): Promise<Found> {
  const found = await finding;
  if (found === null) throw new NothingHere();
  return found;
}
