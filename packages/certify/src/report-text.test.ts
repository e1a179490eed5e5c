import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { CertifyReport } from './certify.js';
import { FINDINGS } from './findings.js';
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

test('a check is one line: verdict, what it must do, its name, what was sent, the answer', () => {
  const [check] = REPORT.checks;
  expect(check && createReportText(false).check(check)).toMatch(
    /^FAIL {2}refuse {2}stale +a delivery signed ten minutes ago: 202 in 12 ms$/,
  );
});

test('the conclusion says of each finding what it means, how to mend it and how it was seen', () => {
  const text = createReportText(false).conclusion(REPORT);
  const { summary, meaning, remedy, guide } = FINDINGS.accepts_stale;
  for (const part of ['SECURITY  accepts_stale', summary, meaning, remedy, guide])
    expect(text).toContain(part);
  expect(text).toContain('stale, a delivery signed ten minutes ago: 202 in 12 ms, saying: thanks');
  expect(text).toContain('3 ms in the median, 40 ms at most');
});

test('its last line is the verdict', () => {
  const { conclusion } = createReportText(false);
  const lastLine = (report: CertifyReport) => conclusion(report).split('\n').at(-1);
  const warnings = REPORT.findings.slice(1);
  expect(lastLine(REPORT)).toBe('Failed with 1 finding and 1 warning: https://ats.example.com/hooks');
  expect(lastLine({ ...REPORT, passed: true, findings: warnings })).toMatch(/^Passed with 1 warning:/);
  expect(lastLine({ ...REPORT, passed: true, findings: [] })).toMatch(/^Passed:/);
});

test('colours change nothing but the colours', () => {
  const [plain, coloured] = [false, true].map((isColoured) =>
    createReportText(isColoured).conclusion(REPORT),
  );
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured ?? '')).toBe(plain);
});
