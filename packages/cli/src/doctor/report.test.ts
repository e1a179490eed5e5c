import { expect, test } from 'vitest';
import {
  type DoctorReport,
  doctorExitCode,
  doctorText,
  failed,
  ok,
  skippedCheck,
  warning,
} from './report.js';

const report: DoctorReport = {
  checks: [
    { name: 'node', ...ok('Node is fine.') },
    { name: 'clock', ...warning('It is late.', 'Use NTP.') },
    { name: 'rights-of-a', ...failed('An index is missing.', 'Run:\ncreate index a on b (c);') },
    { name: 'inbox', ...skippedCheck('The inbox is off.') },
  ],
};

test('the text has a line for each check, its fix below, and the totals', () => {
  expect(doctorText(report)).toBe(
    [
      'ok       node         Node is fine.',
      'warning  clock        It is late.',
      '                      Fix: Use NTP.',
      'failed   rights-of-a  An index is missing.',
      '                      Fix: Run:',
      '                      create index a on b (c);',
      'skipped  inbox        The inbox is off.',
      '',
      '4 checks: 1 ok, 1 warnings, 1 failed, 1 skipped.',
    ].join('\n'),
  );
});

test.each([
  ['sealing-key', true, 1],
  ['sealing-key of ph_2', true, 1],
  ['sealing-key', false, 0],
  ['schema', true, 1],
  ['schema of ph_2', true, 1],
  ['schema', false, 0],
  ['schema-version', true, 0],
  ['inbox', true, 0],
])('the exit code of a skipped check %s, where strictness is %s, is %d', (name, strict, code) => {
  expect(doctorExitCode({ checks: [{ name, ...skippedCheck('It is so.') }] }, { strict })).toBe(code);
});

test.each([
  ['failed', false, 1],
  ['warning', false, 0],
  ['warning', true, 1],
  ['skipped', true, 0],
  ['ok', true, 0],
] as const)('the exit code of %s, where strictness is %s, is %d', (state, strict, code) => {
  const only: DoctorReport = { checks: [{ name: 'a', state, finding: 'It is so.', fix: null }] };
  expect(doctorExitCode(only, { strict })).toBe(code);
});
