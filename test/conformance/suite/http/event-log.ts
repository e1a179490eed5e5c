import { describe, expect, it } from 'vitest';
import { freshWindow } from '../fresh-window.js';
import { BASE, createCaller, JOB } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import { headerOf, jsonOf, type RawResponse } from './raw-connection.js';

interface WireEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
}

/** `GET /events`, with the option `selfService.events`. */
export function describeEventRoute(underTest: HttpUnderTest): void {
  describe('GET /events', () => {
    const fixture = useFixture(underTest, { selfService: { events: true } });
    const eventsOf = (response: RawResponse) => jsonOf(response).data as readonly WireEvent[];

    it('lists what a webhook would send, oldest first: limit, cursor, updated_since, type', async () => {
      const { get, jobId, companyId } = await createCaller(fixture);
      const job = await fixture.operator.jobs.publish({ companyId, ...JOB });
      await fixture.operator.jobs.close({ id: jobId });
      const all = await get('/events');
      const [first, second, third] = eventsOf(all);
      expect([first?.type, second?.type, third?.type]).toEqual(['job.opened', 'job.opened', 'job.closed']);
      expect(headerOf(all, 'X-Updated-Through')).toBe(third?.createdAt);
      const data = { companyId, closedAt: third?.createdAt, jobId, reason: 'closed_by_customer' };
      expect(third).toMatchObject({ apiVersion: 'v1', data });
      expect(second).toMatchObject({ data: { jobId: job.id, title: JOB.title } });
      // The stored body has its keys in alphabetical order.
      const keys = ['apiVersion', 'createdAt', 'data', 'id', 'type'];
      expect([first, second, third].map((event) => Object.keys(event ?? {}))).toEqual([keys, keys, keys]);

      const page = await get('/events?limit=2');
      expect(eventsOf(page)).toEqual([first, second]);
      expect(headerOf(page, 'X-Updated-Through')).toBe(second?.createdAt);
      const last = await get(`/events?limit=2&cursor=${String(jsonOf(page).next_cursor)}`);
      expect([Object.keys(jsonOf(last)), eventsOf(last)]).toEqual([['data'], [third]]);
      const since = encodeURIComponent(String(second?.createdAt));
      expect(eventsOf(await get(`/events?updated_since=${since}`))).toEqual([third]);
      expect(eventsOf(await get('/events?type=job.closed'))).toEqual([third]);
      const opened = await get('/events?type=job.opened&limit=1');
      expect(eventsOf(opened)).toEqual([first]);
      const next = `/events?type=job.opened&limit=1&cursor=${String(jsonOf(opened).next_cursor)}`;
      expect(eventsOf(await get(next))).toEqual([second]);
    });

    it('refuses what the other lists refuse, and a cursor of another list or filter', async () => {
      const { get, companyId } = await createCaller(fixture);
      await fixture.operator.jobs.publish({ companyId, ...JOB });
      const cursorOf = async (path: string) => String(jsonOf(await get(path)).next_cursor);
      const [ofJobs, ofEvents] = [await cursorOf('/jobs?limit=1'), await cursorOf('/events?limit=1')];
      for (const [query, field, code] of [
        ['limit=0', 'limit', 'invalid_value'],
        ['limit=x', 'limit', 'invalid_type'],
        ['type=job.gone', 'type', 'invalid_value'],
        ['type=job.opened&type=job.opened', 'type', 'invalid_value'],
        ['updated_since=yesterday', 'updated_since', 'invalid_format'],
        [`cursor=${ofJobs}`, 'cursor', 'invalid_cursor'],
        [`cursor=${ofEvents}&type=job.opened`, 'cursor', 'invalid_cursor'],
      ]) {
        const response = await get(`/events?${query}`);
        const details = { errors: [expect.objectContaining({ field, code })] };
        expect([response.status, jsonOf(response)]).toMatchObject([
          422,
          { error: 'VALIDATION_ERROR', details },
        ]);
      }
      expect((await get(`/jobs?cursor=${ofEvents}`)).status).toBe(422);
      expect((await get(`/events?limit=9999&cursor=${ofEvents}&unknown=1`)).status).toBe(200);
    });

    it('answers HEAD without a body, other methods with 405, and no key with 401', async () => {
      const { authorization } = await createCaller(fixture);
      const target = `${BASE}/events`;
      const head = await fixture.ask({ method: 'HEAD', target, fields: [authorization] });
      expect([head.status, head.body.length]).toEqual([200, 0]);
      expect(headerOf(head, 'X-Updated-Through')).not.toBeNull();
      const post = await fixture.ask({ method: 'POST', target, fields: [authorization] });
      expect([post.status, headerOf(post, 'Allow')]).toEqual([405, 'GET, HEAD']);
      expect((await fixture.ask({ target })).status).toBe(401);
    });

    it('counts in a bucket of its own: 60 requests a minute', async () => {
      const { get } = await createCaller(fixture);
      await freshWindow(fixture.storage.storage);
      await get('/jobs');
      for (let count = 0; count < 60; count += 1) {
        expect(headerOf(await get('/events?limit=0'), 'X-RateLimit-Remaining')).toBe(String(59 - count));
      }
      const limited = await get('/events');
      expect([limited.status, headerOf(limited, 'X-RateLimit-Limit')]).toEqual([429, '60']);
      expect((await get('/jobs')).status).toBe(200);
    });

    it('shows a key only its own events, and a sandbox key those of the sandbox', async () => {
      const [one, other] = [await createCaller(fixture), await createCaller(fixture, 'sandbox')];
      const jobsOf = async ({ get }: typeof one) =>
        (jsonOf(await get('/events')).data as { readonly data: { readonly jobId: string } }[]).map(
          ({ data }) => data.jobId,
        );
      expect(await jobsOf(one)).toEqual([one.jobId]);
      expect(await jobsOf(other)).toEqual([other.jobId]);
    });
  });

  describe('GET /events that is off', () => {
    const fixture = useFixture(underTest);

    it('is an unknown path', async () => {
      const { get } = await createCaller(fixture);
      const [events, unknown] = [await get('/events'), await get('/nothing')];
      expect([events.status, events.body.toString()]).toEqual([404, unknown.body.toString()]);
      expect(headerOf(events, 'X-RateLimit-Limit')).toBe('300');
    });
  });
}
