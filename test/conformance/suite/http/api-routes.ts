import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { candidateFor, createCaller, JOB } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import { headerOf, jsonOf, type RawResponse } from './raw-connection.js';

/** Contract: 5 to 7. */
export function describeApiRoutes(underTest: HttpUnderTest): void {
  describe('the four routes', () => {
    const fixture = useFixture(underTest);
    const ids = (response: RawResponse) =>
      (jsonOf(response).data as { readonly id: string }[]).map(({ id }) => id);

    it('GET /jobs: every field of a job, in UTF-8', async () => {
      const { get, jobId, companyId } = await createCaller(fixture);
      const response = await get('/jobs');
      const [job] = jsonOf(response).data as { createdAt: string; updatedAt: string }[];
      const { title, location, compensation, schedule, headcount } = JOB;
      const expected = {
        id: jobId,
        title,
        company: { id: companyId, name: 'Diner “Zur Post”' },
        location,
        compensation,
        schedule,
        status: 'open',
        headcount,
        createdAt: job?.createdAt,
        updatedAt: job?.updatedAt,
        applicationFormSchema: null,
      };
      expect(response.status).toBe(200);
      expect(headerOf(response, 'Content-Type')).toBe('application/json');
      expect(response.body).toEqual(Buffer.from(JSON.stringify({ data: [expected] })));
      expect(job?.updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(headerOf(response, 'X-Updated-Through')).toBe(job?.updatedAt);
    });

    it('GET /jobs: limit, cursor, updated_since, company_id, status', async () => {
      const { get, companyId } = await createCaller(fixture);
      await fixture.operator.jobs.publish([
        { companyId, ...JOB },
        { companyId, ...JOB },
      ]);
      const first = await get('/jobs?limit=2');
      const last = await get(`/jobs?limit=2&cursor=${String(jsonOf(first).next_cursor)}`);
      expect([ids(first).length, ids(last).length]).toEqual([2, 1]);
      expect(Object.keys(jsonOf(last))).toEqual(['data']);
      expect(new Set([...ids(first), ...ids(last)]).size).toBe(3);
      const since = encodeURIComponent(String(headerOf(first, 'X-Updated-Through')));
      expect(ids(await get(`/jobs?updated_since=${since}`))).toEqual(ids(last));
      expect(ids(await get(`/jobs?company_id=${companyId}&status=open`))).toHaveLength(3);
      expect((await get('/jobs?company_id=co_none')).body.toString()).toBe('{"data":[]}');
    });

    it('POST /applications: 201 with the five fields', async () => {
      const { submit, jobId } = await createCaller(fixture);
      const response = await submit(candidateFor(jobId, { sourceApplicationId: 'ats/7 ✓' }));
      const { id, createdAt } = jsonOf(response);
      expect(response.status).toBe(201);
      expect(id).toMatch(/^ej_app_/);
      const expected = { id, sourceApplicationId: 'ats/7 ✓', jobId, status: 'received', createdAt };
      expect(response.body).toEqual(Buffer.from(JSON.stringify(expected)));
      expect(headerOf(response, 'Idempotent-Replayed')).toBeNull();
    });

    it('POST /applications twice: the same 201, byte for byte', async () => {
      const { submit, jobId, get } = await createCaller(fixture);
      const [key, body] = [randomUUID(), candidateFor(jobId)];
      const first = await submit(body, key);
      const again = await submit(body, key);
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(headerOf(again, 'Idempotent-Replayed')).toBe('true');
      expect(headerOf(again, 'X-Request-Id')).not.toBe(headerOf(first, 'X-Request-Id'));
      expect(ids(await get('/applications'))).toHaveLength(1);
    });

    it('POST /applications: stores the characters as sent', async () => {
      const { submit, jobId } = await createCaller(fixture);
      const response = await submit(candidateFor(jobId));
      const id = jsonOf(response).id as `ej_app_${string}`;
      const stored = await fixture.operator.applications.find({ id });
      expect(stored?.candidate).toMatchObject({ firstName: 'Zoë', lastName: '李' });
    });

    it('GET /applications and GET /applications/{id}: every field of an application', async () => {
      const { submit, jobId, get } = await createCaller(fixture);
      const { id } = jsonOf(await submit(candidateFor(jobId, { sourceApplicationId: 'ü' })));
      const one = await get(`/applications/${String(id)}`);
      const { submittedAt, lastStatusChangeAt } = jsonOf(one);
      const expected = JSON.stringify({
        id,
        sourceApplicationId: 'ü',
        jobId,
        status: 'received',
        currentStage: 'Initial Outreach',
        submittedAt,
        lastStatusChangeAt,
      });
      expect(one.body).toEqual(Buffer.from(expected));
      expect((await get('/applications')).body).toEqual(Buffer.from(`{"data":[${expected}]}`));
    });

    it('what a sandbox key does is evidence for its go-live', async () => {
      const { keyId, companyId, jobId, get, submit } = await createCaller(fixture, 'sandbox');
      await fixture.operator.jobs.publish({ companyId, ...JOB });
      const key = randomUUID();
      const body = candidateFor(jobId, { sourceApplicationId: 's1' });
      for (const sent of [key, key, randomUUID()]) await submit(body, sent);
      await submit('{}');
      const { next_cursor: cursor } = jsonOf(await get('/jobs?limit=1'));
      await get(`/jobs?limit=1&cursor=${String(cursor)}`);
      await get('/jobs?updated_since=2026-01-01T00:00:00Z');
      await get('/applications');
      const { items } = await fixture.operator.keys.readiness({ id: keyId });
      expect(items.filter(({ isDone }) => isDone).map(({ item }) => item)).toEqual([
        'jobs_cursor',
        'jobs_updated_since',
        'submitted',
        'replayed',
        'recovered_422',
        'recovered_409',
        'applications_read',
      ]);
    });

    it('GET /applications: limit, cursor, status, company_id', async () => {
      const { submit, jobId, get, companyId } = await createCaller(fixture);
      for (let count = 0; count < 3; count += 1) await submit(candidateFor(jobId));
      const first = await get(`/applications?limit=2&company_id=${companyId}`);
      const cursor = String(jsonOf(first).next_cursor);
      const last = await get(`/applications?limit=2&company_id=${companyId}&cursor=${cursor}`);
      expect(new Set([...ids(first), ...ids(last)]).size).toBe(3);
      expect(jsonOf(last).next_cursor).toBeUndefined();
      expect(ids(await get('/applications?status=received&limit=1000'))).toHaveLength(3);
      expect(ids(await get('/applications?status=accepted'))).toEqual([]);
    });
  });
}
