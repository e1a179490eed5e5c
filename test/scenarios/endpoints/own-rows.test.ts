/** Spec: GET /jobs, GET /applications, GET /applications/{id}. Whose rows a key reads. */

import type { Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, type Partner } from '@partner-hiring/test-support/partner';
import { ids } from '@partner-hiring/test-support/replies';
import { beginStory, submitMany } from '@partner-hiring/test-support/story';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let fixture: Fixture;
let partner: Partner;
let jobId: `job_${string}`;
let companyId: `co_${string}`;
beforeEach(async () => {
  ({ fixture, partner, jobId, companyId } = await beginStory());
});
afterEach(() => fixture.close());

describe('GET /jobs', () => {
  it('lists only open jobs at companies where the key has active access', async () => {
    const stranger = await createPartner(fixture);
    await createEmployer(fixture, stranger);
    expect(ids(await partner.get('/jobs'))).toEqual([jobId]);
    await fixture.operator.jobs.close({ id: jobId });
    expect(ids(await partner.get('/jobs'))).toEqual([]);
  });
});

describe('GET /applications', () => {
  it('lists applications submitted by the calling key, and only those', async () => {
    const [id] = await submitMany(partner, jobId, 1);
    const other = await createPartner(fixture);
    expect(ids(await partner.get('/applications'))).toEqual([id]);
    expect(ids(await other.get('/applications'))).toEqual([]);
    expect((await other.get(`/applications/${id}`)).status).toBe(404);
  });

  it('read access to own applications persists after company access is revoked', async () => {
    const [id] = await submitMany(partner, jobId, 1);
    await fixture.operator.access.revoke({ keyId: partner.keyId, companyId });
    expect(ids(await partner.get('/applications'))).toEqual([id]);
    expect((await partner.get(`/applications/${id}`)).status).toBe(200);
  });
});

describe('GET /applications/{id}', () => {
  it("404 with equal bytes: unknown, another key's, the other world's", async () => {
    const [id] = await submitMany(partner, jobId, 1);
    const other = await createPartner(fixture);
    const sandbox = await createPartner(fixture, { sandbox: true });
    const replies = [
      await partner.get('/applications/ej_app_unknown'),
      await other.get(`/applications/${id}`),
      await sandbox.get(`/applications/${id}`),
    ];
    expect(replies.map(({ status, json }) => [status, json.error])).toEqual(
      Array(3).fill([404, 'APPLICATION_NOT_FOUND']),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });
});
