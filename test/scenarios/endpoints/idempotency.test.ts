/** Contract: 7. The HTTP suite has the rest of the rules. */
import { randomUUID } from 'node:crypto';
import { createPartner, ids, submission } from '@partner-hiring/test-support/partner';
import { useStory } from '@partner-hiring/test-support/story';
import { describe, expect, it } from 'vitest';

const story = useStory({ limits: { submit_application: 10_000 } });

describe('POST /applications, idempotency', () => {
  const key = randomUUID();

  it('the same key with another candidate is 422 IDEMPOTENCY_KEY_REUSED (contract 7.4)', async () => {
    await story.partner.submit(submission(story.jobId, { source: 'site' }), key);
    const reply = await story.partner.submit(submission(story.jobId, { source: 'x' }), key);
    expect([reply.status, reply.json.error]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(reply.json.details).toEqual({ sameJson: false });
  });

  it('a key expires 24 hours after its first use; a replay does not extend it (contract 7.5)', async () => {
    const body = JSON.stringify(submission(story.jobId));
    const first = await story.partner.submit(body, key);
    await story.fixture.clock.advance(24 * 3_600_000 - 1);
    expect((await story.partner.submit(body, key)).text).toBe(first.text);
    await story.fixture.clock.advance(1);
    const fresh = await story.partner.submit(body, key);
    expect(fresh.status).toBe(201);
    expect(fresh.json.id).not.toBe(first.json.id);
  });

  it('only a committed 201 binds a key: after a refusal it is free', async () => {
    expect((await story.partner.submit(submission('job_unknown'), key)).status).toBe(404);
    expect((await story.partner.submit(submission(story.jobId), key)).status).toBe(201);
  });

  it('a replay comes before every business check', async () => {
    const body = JSON.stringify(submission(story.jobId));
    const first = await story.partner.submit(body, key);
    await story.fixture.operator.jobs.close({ id: story.jobId });
    await story.fixture.operator.access.revoke({ keyId: story.partner.keyId, companyId: story.companyId });
    expect((await story.partner.submit(body, key)).text).toBe(first.text);
  });

  it('two keys of two partners do not meet', async () => {
    const other = await createPartner(story.fixture);
    await story.fixture.operator.access.grant({ keyId: other.keyId, companyId: story.companyId });
    const body = JSON.stringify(submission(story.jobId));
    const [first, second] = [await story.partner.submit(body, key), await other.submit(body, key)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.id).not.toBe(first.json.id);
  });
});

describe('POST /applications, at the same moment', () => {
  it('100 identical submissions: one application, 100 identical replies', async () => {
    const body = JSON.stringify(submission(story.jobId));
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 100 }, () => story.partner.submit(body, key)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(99);
    expect(ids(await story.partner.get('/applications'))).toHaveLength(1);
  });

  it('100 submissions of one source id under different keys: one 201, 99 × 409', async () => {
    const body = submission(story.jobId, { sourceApplicationId: 'ats-1' });
    const replies = await Promise.all(Array.from({ length: 100 }, () => story.partner.submit(body)));
    const created = replies.filter(({ status }) => status === 201);
    const refused = replies.filter(({ status }) => status === 409);
    expect([created.length, refused.length]).toEqual([1, 99]);
    for (const { json } of refused) {
      expect(json.error).toBe('DUPLICATE_SOURCE_APPLICATION_ID');
      expect(json.details).toEqual({ applicationId: created[0]?.json.id });
    }
  });
});
