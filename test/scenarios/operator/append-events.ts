import type { EventId, KeyId, Storage } from '@partner-hiring/core';

/** Adds so many events to the log of a key, without jobs: many jobs take far longer. */
export async function appendEvents(
  { transaction }: Pick<Storage<never>, 'transaction'>,
  keyId: KeyId,
  count: number,
  now: number,
): Promise<void> {
  await transaction(async ({ feed, events }) => {
    const [{ first } = { first: now }] = await feed.take([{ keyId, count }], now);
    await events.append(
      Array.from({ length: count }, (_, index) => {
        const id: EventId = `evt_${keyId}_${first + index}`;
        return { id, keyId, type: 'job.opened', at: first + index, body: '{"type":"job.opened","data":{}}' };
      }),
    );
  });
}
