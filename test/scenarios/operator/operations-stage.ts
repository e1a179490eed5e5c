import type { KeyId, Operation, StoredDelivery } from '@partner-hiring/core';
import { expect } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { appendEvents } from './append-events.js';
import { openStage } from './stage.js';

/** A command sends so many deliveries before the worker takes over. */
export const OWN = 10_000;

/** So many are left for the worker. */
export const MORE = 1_500;

/** A stage with keys that have many deliveries, and a worker that runs operations. */
export type OperationStage = Awaited<ReturnType<typeof openOperationStage>>;

/** Opens the stage. It is closed after all tests of the file. */
export async function openOperationStage() {
  const stage = await openStage();
  const { storage, clock } = stage;

  async function delivered(count: number): Promise<{ readonly keyId: KeyId; readonly since: number }> {
    const keyId = await stage.key();
    const since = clock.now();
    await appendEvents(storage, keyId, count, since);
    const [head] = (await stage.events(keyId)).toReversed();
    expect(await storage.direct.endpoints.advanceWatermark(keyId, head?.at ?? 0)).toBe(true);
    await clock.advance(MINUTE_MS);
    return { keyId, since };
  }

  async function waiting(count: number): Promise<KeyId> {
    const { keyId } = await delivered(count);
    const rows = (await stage.events(keyId)).map(({ id, at }, index): StoredDelivery => {
      return {
        keyId,
        eventId: id as StoredDelivery['eventId'],
        eventAt: at,
        state: 'pending',
        attempts: 1,
        cycle: 1,
        dueAt: clock.now() + MINUTE_MS + index,
        pendingSince: at,
        lastAttemptAt: clock.now(),
        lastLatencyMs: 5,
        lastOutcome: { kind: 'answered', status: 500, excerpt: '' },
      };
    });
    for (let at = 0; at < rows.length; at += 1_000)
      await storage.direct.deliveries.save(rows.slice(at, at + 1_000));
    await clock.advance(SECOND_MS);
    return keyId;
  }

  async function rowsOf(keyId: KeyId): Promise<readonly StoredDelivery[]> {
    const ids = (await stage.events(keyId)).map(({ id }) => id as StoredDelivery['eventId']);
    const rows: (StoredDelivery | null)[] = [];
    // A busy machine may not find all at once within the time of a statement.
    for (let at = 0; at < ids.length; at += 1_000)
      rows.push(...(await storage.direct.deliveries.find(keyId, ids.slice(at, at + 1_000))));
    return rows.filter((row) => row !== null);
  }

  async function runSteps(stepper = stage.stepper()): Promise<number> {
    let steps = 0;
    while ((await stepper.step()) !== null) steps += 1;
    return steps;
  }

  return {
    ...stage,
    /** Creates a key with events that a worker has delivered. */
    delivered,
    /** Creates a key whose events all wait for their second attempt. */
    waiting,
    rowsOf,
    /** Runs steps until none is left, and returns how many ran. */
    runSteps,
  };
}

/** Returns the operation that a command has started. */
export function startedBy({ operation }: { readonly operation: Operation | null }): Operation {
  if (operation === null) throw new Error('No operation was started.');
  return operation;
}
