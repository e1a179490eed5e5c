import type { ApplicationId, EventId, Repositories } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  appendStamped,
  KEY_ID,
  sampleApplication,
  sampleDelivery,
  sampleEndpoint,
  sampleEvent,
  sampleSubmission,
  T0,
} from './samples.js';
import { type OpenStorage, useSeededStorage } from './storage-under-test.js';

/** Lets another transaction run until it ends or waits for this one. */
async function pass({ applications }: Repositories): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await applications.find(['ej_app_none']);
}

export function describeExcerpts<HostTx>(open: OpenStorage<HostTx>): void {
  describe('excerpts of responses', () => {
    const opened = useSeededStorage(open);

    it('removes the excerpts of responses, and keeps status and failures', async () => {
      const { candidates, deliveries, endpoints } = opened.direct;
      await endpoints.save(sampleEndpoint());
      const [answered, failed, other] = [sampleEvent(1, T0), sampleEvent(2, T0 + 1), sampleEvent(3, T0 + 2)];
      await appendStamped(opened.direct, [answered, failed, other]);
      const failure = { kind: 'failed', failure: 'timed_out', message: 'slow' } as const;
      const saved = [
        sampleDelivery(answered),
        sampleDelivery(failed, { lastOutcome: failure }),
        sampleDelivery(other),
      ];
      await deliveries.save(saved);
      const asked = [answered, failed].map(({ id }) => ({ keyId: KEY_ID, eventId: id }));
      expect(await candidates.eraseExcerpts(asked)).toEqual([asked[0], asked[0]]);
      expect(await candidates.eraseExcerpts(asked)).toEqual([]);
      const cleaned = { kind: 'answered', status: 500, excerpt: '' } as const;
      const ids = [answered.id, failed.id, other.id];
      expect(await deliveries.find(KEY_ID, ids)).toEqual([
        { ...saved[0], lastOutcome: cleaned },
        saved[1],
        saved[2],
      ]);
      const outcomes = await Promise.all(ids.map((id) => deliveries.findAttempts(KEY_ID, id)));
      expect(outcomes.flat().map(({ outcome }) => outcome)).toEqual([
        cleaned,
        failure,
        { kind: 'answered', status: 500, excerpt: 'boom' },
      ]);
    });

    it('stores no excerpt for an erased candidate, not even while the erasure runs', async () => {
      const { deliveries, endpoints } = opened.direct;
      const all = [1, 2, 3, 4].map((number) => sampleApplication(number, T0 + number));
      await opened.direct.submissions.add(all.map((each) => sampleSubmission(each)));
      await endpoints.save(sampleEndpoint());
      const events = all.map(({ id, changedAt }, index) => ({
        ...sampleEvent(index + 1, changedAt),
        type: 'application.status_changed' as const,
        body: `{"data":{"applicationId":"${id}"}}`,
      }));
      await appendStamped(opened.direct, events);
      const [before, first, second, kept] = events.map((event) => sampleDelivery(event));
      const [idBefore, idFirst, idSecond] = all.map(({ id }) => id);
      if (!before || !first || !second || !kept || !idBefore || !idFirst || !idSecond)
        throw new Error('Missing.');
      async function erase(tx: Repositories, id: ApplicationId, eventId: EventId): Promise<void> {
        await tx.applications.findForUpdate([id]);
        await tx.candidates.erase([id], T0 + 9);
        await tx.candidates.eraseExcerpts([{ keyId: KEY_ID, eventId }]);
      }
      await opened.storage.transaction((tx) => erase(tx, idBefore, before.eventId));
      await deliveries.save([before, kept]);

      // The delivery is saved first, and the erasure waits for it.
      let erasing: Promise<void> | undefined;
      await opened.storage.transaction(async (tx) => {
        await tx.deliveries.save([first]);
        erasing = opened.storage.transaction((other) => erase(other, idFirst, first.eventId));
        await pass(tx);
      });
      await erasing;

      // The erasure comes first, and the delivery does not wait for it on PostgreSQL.
      let saving: Promise<void> | undefined;
      await opened.storage.transaction(async (tx) => {
        await erase(tx, idSecond, second.eventId);
        saving = deliveries.save([second]);
        await pass(tx);
      });
      await saving;

      const ids = events.map(({ id }) => id);
      const stored = await deliveries.find(KEY_ID, ids);
      const excerpts = ['', '', '', 'boom'];
      expect(stored.map((each) => each?.lastOutcome)).toEqual(
        excerpts.map((excerpt) => ({ kind: 'answered', status: 500, excerpt })),
      );
      const attempts = await Promise.all(ids.map((id) => deliveries.findAttempts(KEY_ID, id)));
      expect(attempts.flat().map(({ outcome }) => outcome)).toEqual(stored.map((each) => each?.lastOutcome));
    });
  });
}
