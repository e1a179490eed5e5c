import { type Answer, type Expectation, type FindingCode, judge } from '@partner-hiring/core/probes';
import { describe, expect, test } from 'vitest';
import { summarise } from './summarise.js';

const TIMEOUT_MS = 30_000;

function answered(status: number, tookMs = 5): Answer {
  return { kind: 'answered', status, excerpt: '', tookMs };
}

function checked(
  expects: Expectation,
  answers: readonly Answer[],
  name = 'a_check',
  finding: FindingCode = expects === 'taken' ? 'refuses_unknown_type' : 'accepts_stale',
) {
  return judge({ name, sent: 'something', expects, finding }, answers);
}

describe('a delivery that must be accepted', () => {
  test.each([200, 201, 202, 204, 299])('is accepted with %i', (status) => {
    expect(checked('taken', [answered(status)])).toMatchObject({ verdict: 'passed', finding: null });
  });

  test.each([
    [answered(199), 'refuses_unknown_type'],
    [answered(300), 'redirects'],
    [answered(399), 'redirects'],
    [answered(400), 'refuses_unknown_type'],
    [answered(410), 'answers_gone'],
    [answered(429), 'throttles'],
    [answered(500), 'refuses_unknown_type'],
    [{ kind: 'timed_out', tookMs: TIMEOUT_MS }, 'answers_too_late'],
    [{ kind: 'failed', code: 'ECONNRESET', tookMs: 1 }, 'refuses_unknown_type'],
    [{ kind: 'failed', code: 'ECONNREFUSED', tookMs: 1 }, 'went_away'],
  ] as const)('fails with %j as %s', (answer, finding) => {
    const good = answered(204);
    expect(checked('taken', [good, answer])).toMatchObject({ verdict: 'failed', finding, answers: [answer] });
  });
});

describe('a delivery that must be rejected', () => {
  test.each([301, 400, 401, 410, 422])('is rejected with %i', (status) => {
    expect(checked('refused', [answered(status)])).toMatchObject({ verdict: 'passed', finding: null });
  });

  test('fails if the receiver has gone away', () => {
    const gone: Answer = { kind: 'failed', code: 'ECONNREFUSED', tookMs: 1 };
    expect(checked('refused', [answered(400), gone])).toMatchObject({
      verdict: 'failed',
      finding: 'went_away',
      answers: [gone],
    });
  });

  test('fails if any was accepted', () => {
    const result = checked('refused', [answered(400), answered(202)]);
    expect(result).toMatchObject({ verdict: 'failed', finding: 'accepts_stale', answers: [answered(202)] });
  });

  test.each([
    answered(500),
    { kind: 'timed_out', tookMs: TIMEOUT_MS },
    { kind: 'failed', code: 'UND_ERR_SOCKET', tookMs: 1 },
  ] as const)('is a warning if it only broke down: %j', (answer) => {
    const result = checked('refused', [answer]);
    expect(result).toMatchObject({ verdict: 'warned', finding: 'fails_instead_of_refusing' });
  });
});

describe('findings', () => {
  test('are sorted by urgency, each with its checks', () => {
    const results = [
      checked('taken', [answered(204)], 'good'),
      checked('taken', [answered(500)], 'one'),
      checked('refused', [answered(204)], 'two'),
      checked('taken', [answered(400)], 'three'),
    ];
    expect(summarise(results, TIMEOUT_MS)).toMatchObject([
      { code: 'accepts_stale', severity: 'security', checks: ['two'] },
      { code: 'refuses_unknown_type', severity: 'fault', checks: ['one', 'three'] },
    ]);
  });

  test('warn of a response that took more than a third of the timeout', () => {
    const slow = checked('taken', [answered(204, 10_001)], 'slow');
    const bearable = checked('taken', [answered(204, 10_000)], 'bearable');
    expect(summarise([slow, bearable], TIMEOUT_MS)).toMatchObject([
      { code: 'answers_slowly', severity: 'warning', checks: ['slow'] },
    ]);
  });

  const events = (...given: readonly number[]) =>
    given.map((status, index) =>
      checked('taken', [answered(status)], `event_${index}`, 'refuses_event_type'),
    );

  test('merge the results if nothing is accepted, but not for a single event', () => {
    expect(summarise(events(400, 500), TIMEOUT_MS)).toMatchObject([
      { code: 'refuses_everything', checks: ['event_0', 'event_1'] },
    ]);
    expect(summarise(events(204, 400), TIMEOUT_MS)).toMatchObject([
      { code: 'refuses_event_type', checks: ['event_1'] },
    ]);
  });

  test.each<FindingCode>(['strips_secret_prefix', 'decodes_secret', 'pads_secret'])(
    'name %s alone where nothing is taken because of it, and not another fault beside it',
    (finding) => {
      const misread = checked('refused', [answered(204)], 'misread', finding);
      const other = checked('taken', [answered(400)], 'other');
      const results = [other, ...events(400), misread];
      expect(summarise(results, TIMEOUT_MS)).toMatchObject([
        { code: finding, checks: ['event_0', 'misread'] },
        { code: 'refuses_unknown_type', checks: ['other'] },
      ]);
    },
  );

  /** Results of deliveries that must be rejected, by status. */
  const refusals = (given: Readonly<Record<string, number>>) =>
    Object.entries(given).map(([name, status]) => checked('refused', [answered(status)], name));

  test('merge the results if nothing is verified', () => {
    const results = [
      ...events(204, 400),
      ...refusals({ tampered_body: 204, wrong_secret: 200, stale: 204, unsigned: 400, malformed: 500 }),
    ];
    expect(summarise(results, TIMEOUT_MS)).toMatchObject([
      { code: 'does_not_verify', checks: ['tampered_body', 'wrong_secret', 'stale'] },
      { code: 'refuses_event_type', checks: ['event_1'] },
      { code: 'fails_instead_of_refusing', checks: ['malformed'] },
    ]);
  });

  test.each([
    { tampered_body: 400, wrong_secret: 204 },
    { tampered_body: 204, wrong_secret: 500 },
  ])('do not report does_not_verify if one forgery is rejected: %j', (given) => {
    const findings = summarise([...events(204), ...refusals({ ...given, stale: 204 })], TIMEOUT_MS);
    const codes = findings.map(({ code }) => code);
    expect(codes).toContain('accepts_stale');
    expect(codes).not.toContain('does_not_verify');
  });
});
