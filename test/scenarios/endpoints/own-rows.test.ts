/** Contract: 5.1 to 5.3. Whose rows a key reads. */

import { createEmployer, createPartner, ids } from '@partner-hiring/test-support/partner';
import { submitMany, useStory } from '@partner-hiring/test-support/story';
import { describe, expect, it } from 'vitest';

const story = useStory();

describe('GET /jobs', () => {
  it('lists only open jobs at companies where the key has active access', async () => {
    const stranger = await createPartner(story.fixture);
    await createEmployer(story.fixture, stranger);
    expect(ids(await story.partner.get('/jobs'))).toEqual([story.jobId]);
    await story.fixture.operator.jobs.close({ id: story.jobId });
    expect(ids(await story.partner.get('/jobs'))).toEqual([]);
  });
});

describe('GET /applications', () => {
  it('lists applications submitted by the calling key, and only those', async () => {
    const [id] = await submitMany(story.partner, story.jobId, 1);
    const other = await createPartner(story.fixture);
    expect(ids(await story.partner.get('/applications'))).toEqual([id]);
    expect(ids(await other.get('/applications'))).toEqual([]);
    expect((await other.get(`/applications/${id}`)).status).toBe(404);
  });

  it('read access to own applications persists after company access is revoked', async () => {
    const [id] = await submitMany(story.partner, story.jobId, 1);
    await story.fixture.operator.access.revoke({ keyId: story.partner.keyId, companyId: story.companyId });
    expect(ids(await story.partner.get('/applications'))).toEqual([id]);
    expect((await story.partner.get(`/applications/${id}`)).status).toBe(200);
  });
});

describe('GET /applications/{id}', () => {
  it("404 with equal bytes: unknown, another key's, the other world's", async () => {
    const [id] = await submitMany(story.partner, story.jobId, 1);
    const other = await createPartner(story.fixture);
    const sandbox = await createPartner(story.fixture, { sandbox: true });
    const replies = [
      await story.partner.get('/applications/ej_app_unknown'),
      await other.get(`/applications/${id}`),
      await sandbox.get(`/applications/${id}`),
    ];
    expect(replies.map(({ status, json }) => [status, json.error])).toEqual(
      Array(3).fill([404, 'APPLICATION_NOT_FOUND']),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });
});
