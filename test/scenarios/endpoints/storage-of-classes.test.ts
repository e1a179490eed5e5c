/** A storage whose repositories are objects of a class: their methods are called on them. */
import type { FeedRepository, Repositories } from '@partner-hiring/core/ports';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { expect, it } from 'vitest';

class Feed implements FeedRepository {
  readonly #feed: FeedRepository;
  constructor(feed: FeedRepository) {
    this.#feed = feed;
  }
  take(...input: Parameters<FeedRepository['take']>) {
    return this.#feed.take(...input);
  }
  takeSoon(...input: Parameters<FeedRepository['takeSoon']>) {
    return this.#feed.takeSoon(...input);
  }
  takeFree(...input: Parameters<FeedRepository['takeFree']>) {
    return this.#feed.takeFree(...input);
  }
  listHeads(...input: Parameters<FeedRepository['listHeads']>) {
    return this.#feed.listHeads(...input);
  }
  listRecording(...input: Parameters<FeedRepository['listRecording']>) {
    return this.#feed.listRecording(...input);
  }
  setRecording(...input: Parameters<FeedRepository['setRecording']>) {
    return this.#feed.setRecording(...input);
  }
  setFreeRecording(...input: Parameters<FeedRepository['setFreeRecording']>) {
    return this.#feed.setFreeRecording(...input);
  }
}

it('a storage of classes takes submissions', async () => {
  const database = await createTestDatabase();
  const storage = await database.open(createFakeClock());
  const withFeed = (tx: Repositories): Repositories => ({ ...tx, feed: new Feed(tx.feed) });
  const fixture = await createFixture({
    storage: { ...storage, transaction: (work) => storage.transaction((tx) => work(withFeed(tx))) },
  });
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  for (const _ of [1, 2]) expect((await partner.submit(submission(jobId))).status).toBe(201);
  await fixture.close();
  await database.remove();
});
