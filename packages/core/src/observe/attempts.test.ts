import { createRecordingLogger, createRecordingTelemetry } from '@partner-hiring/test-support/telemetry';
import { describe, expect, it } from 'vitest';
import type { AttemptOutcome } from '../domain/delivery.js';
import type { StoredEndpoint } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import { observeAttempts } from './attempts.js';

const COMMITTED_AT = 1_000_000;
const EVENT: PartnerEvent = {
  id: 'evt_1',
  keyId: 'key_1',
  type: 'job.closed',
  at: COMMITTED_AT,
  body: '{}',
};
const TIMED_OUT: AttemptOutcome = { kind: 'failed', failure: 'timed_out', message: 'No answer.' };
const answered = (status: number): AttemptOutcome => ({ kind: 'answered', status, excerpt: '' });

/** The telemetry of an attempt of half a second. */
function observe(outcome: AttemptOutcome, url = 'https://hooks.test:444/in?secret=1', now = COMMITTED_AT) {
  const telemetry = createRecordingTelemetry();
  const logger = createRecordingLogger();
  const observer = observeAttempts(telemetry, logger, { now: () => now });
  const attempt = observer.begin({ keyId: 'key_1', url } as Partial<StoredEndpoint> as StoredEndpoint, EVENT);
  telemetry.pass(0.5);
  attempt.end(outcome);
  return { ...telemetry, lines: logger.lines };
}

describe('an attempt', () => {
  it('records duration, latency, a span and a log line for a delivered event', () => {
    const now = COMMITTED_AT + 90_500;
    const { measured, spans, lines } = observe(answered(204), undefined, now);
    const attributes = { 'partner_hiring.attempt.outcome': 'delivered', 'http.response.status_code': 204 };
    const type = { 'partner_hiring.event.type': 'job.closed' };
    expect(measured).toEqual([
      { name: 'partner_hiring.attempt.duration', unit: 's', value: 0.5, attributes },
      { name: 'partner_hiring.delivery.latency', unit: 's', value: 90.5, attributes: type },
    ]);
    expect(spans).toEqual([
      {
        name: 'partner_hiring.attempt',
        kind: 'client',
        attributes: {
          'http.request.method': 'POST',
          ...attributes,
          ...type,
          'partner_hiring.key.id': 'key_1',
          'partner_hiring.event.id': 'evt_1',
          'server.address': 'hooks.test',
        },
        failure: null,
        isEnded: true,
      },
    ]);
    const fields = { keyId: 'key_1', eventId: 'evt_1', eventType: 'job.closed', outcome: 'delivered' };
    expect(lines).toEqual([
      {
        level: 'debug',
        fields: { ...fields, status: 204, durationMs: 500 },
        message: 'A webhook attempt ended.',
      },
    ]);
  });

  it("has no latency if another machine's clock is ahead", () => {
    const { measured } = observe(answered(200), undefined, COMMITTED_AT - 20);
    expect(measured).toMatchObject([{}, { name: 'partner_hiring.delivery.latency', value: 0 }]);
  });

  it.each([
    [101, 'unexpected_status'],
    [300, 'redirected'],
    [399, 'redirected'],
    [400, 'client_error'],
    [410, 'gone'],
    [499, 'client_error'],
    [500, 'server_error'],
    [599, 'server_error'],
    [600, 'unexpected_status'],
  ])('that is answered with %i counts as failed by %s', (status, name) => {
    const { measured, spans, lines } = observe(answered(status));
    const attributes = { 'partner_hiring.attempt.outcome': name, 'http.response.status_code': status };
    expect(measured).toMatchObject([{ attributes }]);
    expect(spans).toMatchObject([{ attributes, failure: name }]);
    expect(lines).toMatchObject([{ fields: { outcome: name, status } }]);
  });

  it('without a response fails by its cause and has no status', () => {
    const { measured, spans, lines } = observe(TIMED_OUT);
    expect(measured.map(({ attributes }) => attributes)).toEqual([
      { 'partner_hiring.attempt.outcome': 'timed_out' },
    ]);
    expect(spans).toMatchObject([{ failure: 'timed_out' }]);
    expect(lines).toMatchObject([{ fields: { outcome: 'timed_out', status: null } }]);
  });

  it('names no host for an invalid URL', () => {
    const refused = { ...TIMED_OUT, failure: 'url_refused' } as const;
    const [span] = observe(refused, 'hooks.test/in').spans;
    expect(span).toMatchObject({ failure: 'url_refused', isEnded: true });
    expect(span?.attributes).not.toHaveProperty(['server.address']);
  });
});
