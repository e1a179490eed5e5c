import type { Delivery } from '../../domain/delivery.js';
import { allSuccesses, type DeliveryEvidence, mayHaveStored } from '../../domain/delivery-evidence.js';
import type { Repositories } from '../../ports/storage.js';

/** A delivery with the evidence of its last success. */
export interface Evidenced {
  /**
   * The last success, also of an earlier cycle. Null if no attempt succeeded yet, or if a release without evidence
   * recorded the success.
   */
  readonly evidence: DeliveryEvidence | null;
}

/** Returns the recorded successes of each delivery, oldest first. */
export async function findSuccesses(
  { evidence }: Pick<Repositories, 'evidence'>,
  deliveries: readonly Delivery[],
): Promise<readonly (readonly DeliveryEvidence[])[]> {
  const asked = deliveries.filter(mayHaveStored);
  const found = await evidence.find(asked.map(({ keyId, eventAt }) => ({ keyId, at: eventAt })));
  const stored = new Map(asked.map((delivery, index) => [delivery, found[index] ?? []]));
  return deliveries.map((delivery) => allSuccesses(delivery, stored.get(delivery) ?? []));
}

/** Adds the last success of each delivery. */
export async function withEvidence<Row extends Delivery>(
  read: Pick<Repositories, 'evidence'>,
  rows: readonly Row[],
): Promise<readonly (Row & Evidenced)[]> {
  const successes = await findSuccesses(read, rows);
  return rows.map((row, index) => ({ ...row, evidence: successes[index]?.at(-1) ?? null }));
}
