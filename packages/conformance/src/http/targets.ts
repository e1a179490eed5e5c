import { describe, expect, it } from 'vitest';
import { BASE, candidateFor, createCaller } from './caller.js';
import type { HttpUnderTest } from './http-under-test.js';
import { headerOf, jsonOf } from './raw-response.js';
import { useWorld } from './world.js';

/** Paths, queries and methods, ordinary and odd. */
export function describeTargets(underTest: HttpUnderTest): void {
  describe('targets and methods', () => {
    const world = useWorld(underTest);

    it.each([
      ['', 404, 'NOT_FOUND'],
      ['/', 404, 'NOT_FOUND'],
      ['/nothing', 404, 'NOT_FOUND'],
      ['/jobs/', 404, 'NOT_FOUND'],
      ['/Jobs', 404, 'NOT_FOUND'],
      ['/jobsx', 404, 'NOT_FOUND'],
      ['/jobs/job_1', 404, 'NOT_FOUND'],
      ['/jobs;a=b', 404, 'NOT_FOUND'],
      ['//jobs', 404, 'NOT_FOUND'],
      ['/%6Aobs', 404, 'NOT_FOUND'],
      ['/jobs%2F', 404, 'NOT_FOUND'],
      ['/jobs%3Flimit=1', 404, 'NOT_FOUND'],
      ['/%', 404, 'NOT_FOUND'],
      ['/%zz/jobs', 404, 'NOT_FOUND'],
      ['/applications/', 404, 'NOT_FOUND'],
      ['/applications/a/b', 404, 'NOT_FOUND'],
      ['/applications/%zz', 404, 'APPLICATION_NOT_FOUND'],
      ['/applications/%E0%A4%A', 404, 'APPLICATION_NOT_FOUND'],
      ['/applications/%00', 404, 'APPLICATION_NOT_FOUND'],
      ['/applications/%2F', 404, 'APPLICATION_NOT_FOUND'],
      ['/applications/a%2Fb', 404, 'APPLICATION_NOT_FOUND'],
      ['/applications/*', 404, 'APPLICATION_NOT_FOUND'],
      ['/applications/:id', 404, 'APPLICATION_NOT_FOUND'],
      [`/applications/${'x'.repeat(2_000)}`, 404, 'APPLICATION_NOT_FOUND'],
      ['/jobs?limit=%zz', 422, 'VALIDATION_ERROR'],
      ['/jobs?limit=1&limit=1', 422, 'VALIDATION_ERROR'],
      ['/jobs?limit[]=1&__proto__=x', 200, undefined],
      ['/jobs?', 200, undefined],
      ['/jobs?&&=&%', 200, undefined],
      ['/jobs?company_id=%E0%A4%A', 200, undefined],
      ['/jobs?updated_since=2026-01-05T09:00:00+01:00', 200, undefined],
      ['/jobs?lim%69t=0', 422, 'VALIDATION_ERROR'],
      ['/jobs#fragment?limit=0', 200, undefined],
      ['/jobs?limit=1#&limit=0', 200, undefined],
    ])('GET %s: %i', async (path, status, code) => {
      const { get } = await createCaller(world);
      const response = await get(path);
      expect([response.status, jsonOf(response).error]).toEqual([status, code]);
    });

    it('a whole URL as the target', async () => {
      const { authorization } = await createCaller(world);
      const statusOf = async (path: string) =>
        (await world.ask({ target: `http://elsewhere.example:99${BASE}${path}`, fields: [authorization] }))
          .status;
      expect(await statusOf('/jobs?limit=1')).toBe(200);
      expect(await statusOf('/jobs?limit=0')).toBe(422);
      expect(await statusOf('/applications/%zz')).toBe(404);
    });

    it('a percent-encoded application id', async () => {
      const { submit, get, jobId } = await createCaller(world);
      const id = String(jsonOf(await submit(candidateFor(jobId))).id);
      const encoded = id.replaceAll('_', '%5F');
      expect((await get(`/applications/${encoded}?x=%zz`)).status).toBe(200);
    });

    it.each([
      ['POST', '/jobs', 'GET, HEAD'],
      ['PUT', '/jobs', 'GET, HEAD'],
      ['PATCH', '/applications', 'GET, HEAD, POST'],
      ['DELETE', '/applications/x', 'GET, HEAD'],
      ['OPTIONS', '/applications', 'GET, HEAD, POST'],
      ['PROPFIND', '/jobs', 'GET, HEAD'],
      ['PURGE', '/jobs', 'GET, HEAD'],
    ])('%s %s: 405, and Allow says what is', async (method, path, allow) => {
      const { authorization } = await createCaller(world);
      const response = await world.ask({ method, target: BASE + path, fields: [authorization] });
      expect([response.status, jsonOf(response).error]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(headerOf(response, 'Allow')).toBe(allow);
    });

    it.each(['DELETE', 'OPTIONS', 'POST'])('%s where there is nothing: 404', async (method) => {
      const { authorization } = await createCaller(world);
      const response = await world.ask({ method, target: `${BASE}/nothing`, fields: [authorization] });
      expect(response.status).toBe(404);
    });

    it.each(['/jobs', '/applications/none', '/nothing'])(
      'HEAD %s: the head of GET, and not a byte more',
      async (path) => {
        const { authorization, get } = await createCaller(world);
        const got = await get(path);
        const connection = await world.connect();
        const head = `HEAD ${BASE}${path} HTTP/1.1\r\nHost: a\r\n${authorization.join(': ')}\r\n\r\n`;
        connection.write(head);
        const response = world.check(await connection.read('HEAD'), 'HEAD');
        expect(response.status).toBe(got.status);
        expect(headerOf(response, 'Content-Length')).toBe(String(got.body.byteLength));
        // A byte too many would stand in front of the next response.
        connection.write(head.replace('HEAD', 'GET'));
        expect(world.check(await connection.read()).body).toEqual(got.body);
        connection.destroy();
      },
    );
  });

  describe('another base path', () => {
    const world = useWorld(underTest, { basePath: '/partners/v1.0' });

    it('is where everything is served', async () => {
      const { authorization } = await createCaller(world);
      const statusOf = async (target: string) =>
        (await world.ask({ target, fields: [authorization] })).status;
      expect(await statusOf('/partners/v1.0/jobs')).toBe(200);
      expect(await statusOf('/partners/v1.0/nothing')).toBe(404);
      expect(await statusOf('/partners/v1.0')).toBe(404);
    });
  });
}
