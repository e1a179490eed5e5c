import { stripVTControlCharacters } from 'node:util';
import { FINDINGS } from '@partner-hiring/core/probes';
import { expect, test } from 'vitest';
import type { CertifyReport } from './certify.js';
import { createReportText } from './report-text.js';

const REPORT: CertifyReport = {
  url: 'https://ats.example.com/hooks',
  passed: false,
  findings: [
    { code: 'accepts_stale', ...FINDINGS.accepts_stale, checks: ['stale'] },
    { code: 'answers_slowly', ...FINDINGS.answers_slowly, checks: ['stale'] },
  ],
  checks: [
    {
      name: 'job_opened',
      sent: 'job.opened as the service sends it',
      expects: 'taken',
      verdict: 'passed',
      finding: null,
      answers: [{ kind: 'answered', status: 204, excerpt: '', tookMs: 3.2 }],
    },
    {
      name: 'stale',
      sent: 'a delivery signed ten minutes ago',
      expects: 'refused',
      verdict: 'failed',
      finding: 'accepts_stale',
      answers: [{ kind: 'answered', status: 202, excerpt: 'thanks', tookMs: 12.4 }],
    },
  ],
  answerMs: { median: 3.2, slowest: 40 },
  timeoutMs: 30_000,
};

test('formats a check as one line', () => {
  const [taken, stale] = REPORT.checks.map(createReportText(false).check);
  expect(taken).toMatch(/^ok {4}take {4}job_opened +job\.opened as the service sends it: 204 in 3 ms$/);
  expect(stale).toMatch(/^FAIL {2}refuse {2}stale +a delivery signed ten minutes ago: 202 in 12 ms$/);
});

test('says why a check was skipped', () => {
  const skipped = REPORT.checks.map((check) => ({ ...check, verdict: 'skipped', answers: [] }) as const);
  expect(skipped.map(createReportText(false).check)).toEqual([
    expect.stringMatching(/^skip .*: skipped after an earlier result$/),
    expect.stringMatching(/^skip .*: skipped after an earlier result$/),
  ]);
});

test('shows the meaning, fix and evidence of each finding', () => {
  const text = createReportText(false).conclusion(REPORT);
  const { summary, meaning, remedy, guide } = FINDINGS.accepts_stale;
  for (const part of ['SECURITY  accepts_stale', summary, meaning, remedy, guide])
    expect(text).toContain(part);
  expect(text).toContain('stale, a delivery signed ten minutes ago: 202 in 12 ms, saying: thanks');
  expect(text).toContain('median 3 ms, slowest 40 ms. The timeout is 30000 ms.');
});

test('omits empty excerpts, and times if nothing was accepted', () => {
  const answers = [{ kind: 'answered', status: 202, excerpt: '', tookMs: 12.4 }] as const;
  const checks = REPORT.checks.map((check) => ({ ...check, answers }));
  const text = createReportText(false).conclusion({ ...REPORT, checks, answerMs: null });
  expect(text).toContain('  Seen     stale, a delivery signed ten minutes ago: 202 in 12 ms\n');
  expect(text).not.toContain('in the median');
});

test('ends with the result', () => {
  const { conclusion } = createReportText(false);
  const lastLine = (report: CertifyReport) => conclusion(report).split('\n').at(-1);
  const warnings = REPORT.findings.slice(1);
  expect(lastLine(REPORT)).toBe('Failed with 1 finding and 1 warning: https://ats.example.com/hooks');
  const faults = [...REPORT.findings.slice(0, 1), ...REPORT.findings.slice(0, 1)];
  expect(lastLine({ ...REPORT, findings: faults })).toMatch(/^Failed with 2 findings: https/);
  expect(lastLine({ ...REPORT, findings: [...faults, ...warnings] })).toMatch(
    /^Failed with 2 findings and 1 warning:/,
  );
  expect(lastLine({ ...REPORT, passed: true, findings: warnings })).toMatch(/^Passed with 1 warning: https/);
  expect(lastLine({ ...REPORT, passed: true, findings: [] })).toMatch(/^Passed: https/);
});

test('adds only colors to the text', () => {
  const [plain, coloured] = [false, true].map((isColoured) =>
    createReportText(isColoured).conclusion(REPORT),
  );
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured ?? '')).toBe(plain);
});
