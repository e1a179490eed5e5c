import type { Endpoint } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import type { KeyId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';
import { createGroup, type Group } from '../group.js';
import type { DueDelivery, Repositories } from '../ports/repositories.js';
import type { Clock } from '../ports/runtime.js';

/** What a lane asks for when it looks for more to send. */
export interface LookCall {
  readonly keyId: KeyId;
  /** How far it has read the log. */
  readonly after: Instant;
  /** New events at most. */
  readonly logLimit: number;
  /** Due rows at most. */
  readonly dueLimit: number;
}

/** What there is. */
export interface Found {
  readonly log: readonly PartnerEvent[];
  readonly due: readonly DueDelivery[];
  /** As it stands now; null if there is none any more. */
  readonly endpoint: Endpoint | null;
}

/** Looks for many lanes at once. */
export type Look = Group<LookCall, Found>;

/** Builds the group: three statements for however many lanes look at the same time. */
export function createLook({ events, deliveries, endpoints }: Repositories, clock: Pick<Clock, 'now'>): Look {
  return createGroup(async (calls) => {
    const [logs, dues] = await Promise.all([
      events.readLogs(calls.map(({ keyId, after, logLimit }) => ({ keyId, after, limit: logLimit }))),
      deliveries.listDue(
        calls.map(({ keyId, dueLimit }) => ({ keyId, limit: dueLimit })),
        clock.now(),
      ),
    ]);
    // Read after the log: an event that was recorded during a pause must not meet what was known before it.
    const found = await endpoints.findEach(calls.map(({ keyId }) => keyId));
    return calls.map((_, index) => ({
      log: logs[index] ?? [],
      due: dues[index] ?? [],
      endpoint: found[index] ?? null,
    }));
  });
}
