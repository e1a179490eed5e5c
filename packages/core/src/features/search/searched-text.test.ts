import { expect, it } from 'vitest';
import { createSecret } from '../../domain/partner-key.js';
import { kindsOf, readSearchedText } from './searched-text.js';

const SECRET = createSecret('production', new Uint8Array(32));

it.each([
  ['ej_app_1', ['application']],
  ['job_4711', ['job']],
  [' co_1 ', ['company']],
  ['op_1', ['operation']],
  ['evt_1', ['event']],
  ['ada@example.org', ['person', 'application']],
  ['+1 (415) 555-0123', ['person', 'application']],
  ['0014155550123', ['person', 'application']],
  ['8d4e5a7c-1f2b-4c3d-9e0f-112233445566', ['application', 'request']],
  [SECRET, ['key']],
  ['pek_live_…x7Qa', ['key']],
  ['x7Qa', ['application', 'key', 'partner', 'company', 'job']],
  ['pek_live_x', []],
  ['Chen', ['person', 'application', 'key', 'partner', 'company', 'job']],
  ['Lovelace, Ada', ['person', 'application', 'partner', 'company', 'job']],
  ['O’Neill-Smith', ['person', 'application', 'partner', 'company', 'job']],
  ['ats-4711', ['application', 'partner', 'company', 'job']],
  ['030 123456', ['person', 'application', 'partner', 'company', 'job']],
  ['(415) 555-0123', ['person', 'application', 'partner', 'company', 'job']],
  ['079’123’45’67', ['person', 'application', 'partner', 'company', 'job']],
  ['0123', ['person', 'application', 'key', 'partner', 'company', 'job']],
  ['123', ['application', 'partner', 'company', 'job']],
  ['4 5', ['application']],
])('%s may be found in %j', (text, kinds) => {
  expect(kindsOf(readSearchedText(text))).toEqual(kinds);
});

it('reads 00 as the plus of a number', () => {
  expect(readSearchedText('0014155550123').phone).toBe('+14155550123');
});
