import { describe, expect, it } from 'vitest';
import { BASE, candidateFor, createCaller } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import { buildRequest, headerOf, jsonOf } from './raw-connection.js';

/**
 * Request targets with the expected status and error code. The code `page` stands for a list. A server that
 * is built on `Request` sees a target only after its dot segments are resolved.
 */
const ODD_TARGETS: readonly (readonly [target: string, status: number, code: string])[] = [
  // Dot segments before and in the base path.
  [`/x/..${BASE}/jobs`, 200, 'page'],
  [`/x/%2e%2e${BASE}/jobs`, 200, 'page'],
  [`/x/%2E.${BASE}/jobs`, 200, 'page'],
  [`/x/y/../..${BASE}/jobs?limit=0`, 422, 'VALIDATION_ERROR'],
  [`/.${BASE}/jobs`, 200, 'page'],
  [`/%2e${BASE}/jobs`, 200, 'page'],
  [`/..${BASE}/jobs`, 200, 'page'],
  [`/%2e%2e/..${BASE}/jobs`, 200, 'page'],
  [`/%zz/..${BASE}/jobs`, 200, 'page'],
  ['/api/./v1/external/jobs', 200, 'page'],
  ['/api/x/../v1/%2e/external/jobs', 200, 'page'],
  ['///../..//..'.concat(BASE, '/jobs'), 200, 'page'],
  // Below the base path.
  [`${BASE}/./jobs`, 200, 'page'],
  [`${BASE}/%2e/jobs`, 200, 'page'],
  [`${BASE}/../external/jobs`, 200, 'page'],
  [`${BASE}/%2e%2e/external/jobs?limit=0`, 422, 'VALIDATION_ERROR'],
  [`${BASE}/applications/../jobs`, 200, 'page'],
  [`${BASE}/applications/x/%2e%2E/../jobs`, 200, 'page'],
  [`${BASE}/applications/%zz/../x`, 404, 'APPLICATION_NOT_FOUND'],
  [`${BASE}/x/../applications/%zz`, 404, 'APPLICATION_NOT_FOUND'],
  [`${BASE}/x/../%zz`, 404, 'NOT_FOUND'],
  [`${BASE}/.`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs/.`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs/..`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs/%2e`, 404, 'NOT_FOUND'],
  [`${BASE}/applications/.`, 404, 'NOT_FOUND'],
  [`${BASE}/applications/..`, 404, 'NOT_FOUND'],
  [`${BASE}/applications/%2e%2e`, 404, 'NOT_FOUND'],
  [`${BASE}/applications/x/..`, 404, 'NOT_FOUND'],
  // Out of the base path.
  [`${BASE}/..`, 404, 'NOT_FOUND'],
  [`${BASE}/../jobs`, 404, 'NOT_FOUND'],
  [`${BASE}/../../..`, 404, 'NOT_FOUND'],
  [`${BASE}/../../../../../elsewhere`, 404, 'NOT_FOUND'],
  [`${BASE}/%2e%2e/elsewhere`, 404, 'NOT_FOUND'],
  [`${BASE}/%zz/../../elsewhere`, 404, 'NOT_FOUND'],
  // Not dot segments.
  [`${BASE}/...`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs.`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs..`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs%2e`, 404, 'NOT_FOUND'],
  [`${BASE}/.jobs`, 404, 'NOT_FOUND'],
  [`${BASE}/..;/external/jobs`, 404, 'NOT_FOUND'],
  [`${BASE}/.;x/jobs`, 404, 'NOT_FOUND'],
  [`${BASE}/..%2Fexternal/jobs`, 404, 'NOT_FOUND'],
  [`${BASE}/%252e%252e/external/jobs`, 404, 'NOT_FOUND'],
  [`${BASE}/applications/...`, 404, 'APPLICATION_NOT_FOUND'],
  [`${BASE}/applications/..%2Fjobs`, 404, 'APPLICATION_NOT_FOUND'],
  [`${BASE}/applications/%2e%2e%2fjobs`, 404, 'APPLICATION_NOT_FOUND'],
  [`${BASE}/applications/x%5C..%5C..`, 404, 'APPLICATION_NOT_FOUND'],
  [`${BASE}/applications/%252e`, 404, 'APPLICATION_NOT_FOUND'],
  // Backslashes.
  [`${BASE}\\jobs`, 200, 'page'],
  ['/api\\v1\\external\\jobs', 200, 'page'],
  [`/x\\..${BASE}/jobs`, 200, 'page'],
  [`${BASE}/..\\external/jobs`, 200, 'page'],
  [`${BASE}\\applications\\x`, 404, 'APPLICATION_NOT_FOUND'],
  [`${BASE}/applications/a\\b`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs\\`, 404, 'NOT_FOUND'],
  [`${BASE}/\\jobs`, 404, 'NOT_FOUND'],
  [`${BASE}/%5Cjobs`, 404, 'NOT_FOUND'],
  // Slashes, semicolons and letters.
  [`${BASE}//jobs`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs//`, 404, 'NOT_FOUND'],
  [`${BASE}//applications/x`, 404, 'NOT_FOUND'],
  [`${BASE}/applications//x`, 404, 'NOT_FOUND'],
  [`${BASE}/%2Fjobs`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs%2f`, 404, 'NOT_FOUND'],
  [`${BASE}/;/jobs`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs;x=1`, 404, 'NOT_FOUND'],
  [`${BASE}/jobs;x=1?limit=0`, 404, 'NOT_FOUND'],
  ['/api/v1/%65xternal/jobs', 404, 'NOT_FOUND'],
  ['/x/../%61pi/v1/external/jobs', 404, 'NOT_FOUND'],
  // Dots in a query or a fragment.
  [`${BASE}/jobs?/../nothing`, 200, 'page'],
  [`${BASE}/jobs?x=\\..\\..`, 200, 'page'],
  [`${BASE}/jobs#/../nothing`, 200, 'page'],
  // Absolute URLs.
  [`http://elsewhere.example${BASE}/jobs#fragment`, 200, 'page'],
  [`http://elsewhere.example${BASE}/jobs#?limit=0`, 200, 'page'],
  [`http://elsewhere.example${BASE}/jobs?limit=0#fragment`, 422, 'VALIDATION_ERROR'],
  [`http://elsewhere.example${BASE}/jobs#/../../nothing`, 200, 'page'],
  [`http://elsewhere.example${BASE}#/jobs`, 404, 'NOT_FOUND'],
  [`http://elsewhere.example/x/..${BASE}/jobs`, 200, 'page'],
  [`http://elsewhere.example${BASE}/x/%2e%2e/jobs#x`, 200, 'page'],
  [`http://elsewhere.example${BASE}\\jobs`, 200, 'page'],
  [`http://elsewhere.example/%zz/..${BASE}/jobs`, 200, 'page'],
  [`HTTP://ELSEWHERE.EXAMPLE${BASE}/jobs`, 200, 'page'],
  [`https://elsewhere.example:8443${BASE}/jobs`, 200, 'page'],
  [`http://elsewhere.example${BASE}/..`, 404, 'NOT_FOUND'],
];

/** Request targets outside the API. An adapter may pass them to its application. */
const TARGETS_ELSEWHERE: readonly string[] = [
  '/',
  '/..',
  `/${BASE}/jobs`,
  `//x/..${BASE}/jobs`,
  '/api//v1/external/jobs',
  '/api/v1/external./jobs',
  '/api/v1/external%2Fjobs',
  '/api%2Fv1%2Fexternal/jobs',
  '/api/v1/external%5Cjobs',
  '/api/v1/external;x/jobs',
  '/api/v1/external%00/jobs',
  `/x/..;${BASE}/jobs`,
  `/x/..%2F${BASE}/jobs`,
  `/x?/..${BASE}/jobs`,
  `/x#/..${BASE}/jobs`,
  'http://elsewhere.example/',
  `http://elsewhere.example/${BASE}/jobs`,
  `http://elsewhere.example/?${BASE}/jobs`,
  `http://elsewhere.example?${BASE}/jobs`,
];

export function describeTargets(underTest: HttpUnderTest): void {
  describe('targets and methods', () => {
    const fixture = useFixture(underTest);

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
    ])('GET %s returns %i', async (path, status, code) => {
      const { get } = await createCaller(fixture);
      const response = await get(path);
      expect([response.status, jsonOf(response).error]).toEqual([status, code]);
    });

    it('accepts an absolute URL as the target', async () => {
      const { authorization } = await createCaller(fixture);
      const statusOf = async (path: string) =>
        (await fixture.ask({ target: `http://elsewhere.example:99${BASE}${path}`, fields: [authorization] }))
          .status;
      expect(await statusOf('/jobs?limit=1')).toBe(200);
      expect(await statusOf('/jobs?limit=0')).toBe(422);
      expect(await statusOf('/applications/%zz')).toBe(404);
    });

    it('decodes an application id', async () => {
      const { submit, get, jobId } = await createCaller(fixture);
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
    ])('%s %s returns 405, and Allow says what is', async (method, path, allow) => {
      const { authorization } = await createCaller(fixture);
      const response = await fixture.ask({ method, target: BASE + path, fields: [authorization] });
      expect([response.status, jsonOf(response).error]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(headerOf(response, 'Allow')).toBe(allow);
    });

    it.each(['DELETE', 'OPTIONS', 'POST'])('%s on an unknown path returns 404', async (method) => {
      const { authorization } = await createCaller(fixture);
      const response = await fixture.ask({ method, target: `${BASE}/nothing`, fields: [authorization] });
      expect(response.status).toBe(404);
    });

    it.each(['/jobs', '/applications/none', '/nothing'])(
      'HEAD %s returns the headers of GET without a body',
      async (path) => {
        const { authorization, get } = await createCaller(fixture);
        const got = await get(path);
        const connection = await fixture.connect();
        const head = `HEAD ${BASE}${path} HTTP/1.1\r\nHost: a\r\n${authorization.join(': ')}\r\n\r\n`;
        connection.write(head);
        const response = fixture.check(await connection.read('HEAD'), 'HEAD');
        expect(response.status).toBe(got.status);
        expect(headerOf(response, 'Content-Length')).toBe(String(got.body.byteLength));
        // If the response to HEAD had a body, the next response would start with it.
        connection.write(head.replace('HEAD', 'GET'));
        expect(fixture.check(await connection.read()).body).toEqual(got.body);
        connection.destroy();
      },
    );
  });

  describe('unusual targets', () => {
    const fixture = useFixture(underTest);

    it.each(ODD_TARGETS)('GET %s returns %i %s', async (target, status, code) => {
      const { authorization } = await createCaller(fixture);
      const response = await fixture.ask({ target, fields: [authorization] });
      expect([response.status, jsonOf(response).error ?? 'page']).toEqual([status, code]);
    });

    it.each(ODD_TARGETS)('GET %s without a key returns 401', async (target) => {
      const response = await fixture.ask({ target });
      expect([response.status, jsonOf(response).error]).toEqual([401, 'UNAUTHORIZED']);
    });

    it.each(TARGETS_ELSEWHERE)('GET %s returns 404 outside the API', async (target) => {
      const { authorization } = await createCaller(fixture);
      const connection = await fixture.connect();
      connection.write(buildRequest({ target, fields: [authorization] }));
      expect((await connection.read()).status).toBe(404);
      connection.destroy();
    });
  });

  describe('another base path', () => {
    const fixture = useFixture(underTest, { basePath: '/partners/v1.0' });

    it('serves all endpoints', async () => {
      const { authorization } = await createCaller(fixture);
      const statusOf = async (target: string) =>
        (await fixture.ask({ target, fields: [authorization] })).status;
      expect(await statusOf('/partners/v1.0/jobs')).toBe(200);
      expect(await statusOf('/partners/v1.0/nothing')).toBe(404);
      expect(await statusOf('/partners/v1.0')).toBe(404);
    });
  });
}
