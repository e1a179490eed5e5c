import { createRecordingLogger, createRecordingTelemetry } from '@partner-hiring/test-support/telemetry';
import { describe, expect, it } from 'vitest';
import type { RequestObserver } from '../http/observer.js';
import { observeRequests } from './requests.js';

const JOBS = { requestId: 'request-1', method: 'GET', route: '/jobs' };

/** The telemetry of a request of a quarter of a second. */
function observe(
  arrived: Parameters<RequestObserver['arrived']>[0],
  answered: Parameters<ReturnType<RequestObserver['arrived']>['answered']>,
  keyId: `key_${string}` | null = null,
) {
  const telemetry = createRecordingTelemetry();
  const logger = createRecordingLogger();
  const request = observeRequests(telemetry, logger).arrived(arrived);
  if (keyId !== null) request.admitted(keyId);
  telemetry.pass(0.25);
  request.answered(...answered);
  return { ...telemetry, lines: logger.lines };
}

describe('a request', () => {
  it('is measured, traced and logged, with its key only in the span and the log line', () => {
    const { measured, spans, lines } = observe(JOBS, [200, null], 'key_1');
    const attributes = {
      'http.request.method': 'GET',
      'http.route': '/jobs',
      'http.response.status_code': 200,
    };
    expect(measured).toEqual([{ name: 'http.server.request.duration', unit: 's', value: 0.25, attributes }]);
    const identifiers = { 'partner_hiring.request.id': 'request-1', 'partner_hiring.key.id': 'key_1' };
    expect(spans).toEqual([
      {
        name: 'GET /jobs',
        kind: 'server',
        attributes: { ...attributes, ...identifiers },
        failure: null,
        isEnded: true,
      },
    ]);
    const fields = { ...JOBS, keyId: 'key_1', status: 200, code: null, durationMs: 250 };
    expect(lines).toEqual([{ level: 'debug', fields, message: 'A partner request was answered.' }]);
  });

  it('to an unknown path without a valid key has no route and no key', () => {
    const { measured, spans, lines } = observe({ ...JOBS, route: null }, [404, 'NOT_FOUND']);
    const attributes = {
      'http.request.method': 'GET',
      'http.response.status_code': 404,
      'partner_hiring.error.code': 'NOT_FOUND',
    };
    expect(measured).toMatchObject([{ attributes }]);
    expect(Object.keys(measured[0]?.attributes ?? {})).toHaveLength(3);
    expect(spans).toMatchObject([{ name: 'GET', failure: null }]);
    expect(spans[0]?.attributes).toEqual({ ...attributes, 'partner_hiring.request.id': 'request-1' });
    expect(lines[0]?.fields).toMatchObject({ route: null, keyId: null, code: 'NOT_FOUND' });
  });

  it('counts as failed from status 500', () => {
    const failed = observe(JOBS, [500, 'INTERNAL_ERROR']);
    expect(failed.spans).toMatchObject([{ failure: 'INTERNAL_ERROR' }]);
    expect(failed.measured).toMatchObject([{ attributes: { 'error.type': 'INTERNAL_ERROR' } }]);
    const refused = observe(JOBS, [499 as 404, 'NOT_FOUND']);
    expect(refused.spans).toMatchObject([{ failure: null }]);
    expect(refused.measured[0]?.attributes).not.toHaveProperty(['error.type']);
  });
});
