import type { Clock, Storage } from '@partner-hiring/core';
import {
  FRESH_HEALTH,
  resumeEndpoint,
  type StoredEndpoint,
} from '../../../../packages/core/src/domain/endpoint.js';
import { createEvent } from '../../../../packages/core/src/domain/event.js';
import type { EventId, KeyId } from '../../../../packages/core/src/domain/ids.js';
import type { Environment } from '../../../../packages/core/src/domain/partner-key.js';
import type { IdSource } from '../../../../packages/core/src/ports/runtime.js';

export type StageKeys = ReturnType<typeof createStageKeys>;

export function createStageKeys(
  storage: Pick<Storage<unknown>, 'direct' | 'transaction'>,
  clock: Pick<Clock, 'now'>,
  ids: IdSource,
) {
  const { direct } = storage;

  async function change(keyId: KeyId, how: (endpoint: StoredEndpoint) => StoredEndpoint): Promise<void> {
    await storage.transaction(async (tx) => {
      const found = await tx.endpoints.findForUpdate(keyId);
      if (found !== null) await tx.endpoints.save(how(found));
    });
  }

  /** Adds a key with an active endpoint. By default for production. */
  async function key(changes: Partial<StoredEndpoint> = {}, environment: Environment = 'production') {
    const now = clock.now();
    const partner = { id: ids.next('partner'), name: 'Acme ATS', createdAt: now };
    const added = {
      id: ids.next('key'),
      partnerId: partner.id,
      environment,
      createdAt: now,
    } as const;
    await direct.partners.add(partner);
    await direct.keys.add(added);
    await direct.endpoints.save({ ...endpointOf(added.id, now), ...changes });
    return added.id;
  }

  /** Records events in one commit. */
  const record = (keyId: KeyId, count = 1) =>
    storage.transaction(async (tx) => {
      const [range] = await tx.feed.take([{ keyId, count }], clock.now());
      if (range === undefined) throw new Error('The key has no feed.');
      const events = Array.from({ length: count }, (_, index) =>
        createEvent(ids.next('event'), keyId, range.first + index, {
          type: 'job.closed',
          jobId: `job_${index}`,
          companyId: 'co_1',
          reason: 'closed_by_customer',
        }),
      );
      await tx.events.append(events);
      return events;
    });

  return {
    key,
    record,
    /** Adds a key and records events for it. Also returns the first and the second. */
    async keyWithEvents(count?: number) {
      const keyId = await key();
      const events = await record(keyId, count);
      return { keyId, events, first: events[0], second: events[1] };
    },

    async endpoint(keyId: KeyId) {
      const found = await direct.endpoints.find(keyId);
      if (found === null) throw new Error('The key has no endpoint.');
      return found;
    },

    change,
    pause: (keyId: KeyId) =>
      change(keyId, (found) => ({
        ...found,
        state: { kind: 'paused', reason: 'operator', pausedAt: clock.now() },
      })),
    resume: (keyId: KeyId) => change(keyId, (found) => resumeEndpoint(found, clock.now())),
    delivery: async (keyId: KeyId, eventId: EventId) =>
      (await direct.deliveries.find(keyId, [eventId]))[0] ?? null,
  };
}

function endpointOf(keyId: KeyId, createdAt: number): StoredEndpoint {
  return {
    keyId,
    url: 'https://ats.example.org/webhooks',
    state: { kind: 'active' },
    health: FRESH_HEALTH,
    resumedAt: null,
    replacedUrl: null,
    secrets: [{ sealed: 'sealed:first', createdAt: 0, expiresAt: null }],
    createdAt,
  };
}
