import { type TestSchema, tableOf } from '@partner-hiring/test-support/postgres/database';
import { expect } from 'vitest';
import type { Receiver } from './receiver.js';
import type { Acknowledged } from './storm.js';

/** Checks that exactly the acknowledged candidates are stored, once, with their ids. */
export async function expectEachOnce(
  database: TestSchema,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const rows = await database.run(`select email, id from ${tableOf(database, 'ph_application')}`);
  const stored = rows.map(({ email, id }) => `${email} ${id}`);
  const promised = acknowledged.map(({ candidate, applicationId }) => `${candidate.email} ${applicationId}`);
  expect(stored.sort()).toEqual(promised.sort());
}

/** Waits for the event of every decision; returns when the last one first arrived. */
export async function allDelivered(
  decided: readonly string[],
  { changes }: Receiver,
  withinMs: number,
): Promise<number> {
  const until = performance.now() + withinMs;
  for (;;) {
    const missing = decided.filter((id) => !changes.has(id));
    if (missing.length === 0) break;
    if (performance.now() > until) {
      throw new Error(`${missing.length} of ${decided.length} events were not delivered in ${withinMs} ms.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return Math.max(0, ...decided.map((id) => changes.get(id)?.firstAt ?? 0));
}

/** Counts repeated deliveries. */
export function deliveredAgain({ changes }: Receiver): number {
  return [...changes.values()].reduce((sum, { times }) => sum + times - 1, 0);
}
