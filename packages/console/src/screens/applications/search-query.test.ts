import { expect, it } from 'vitest';
import { isPersonal, phoneOf, recognizeSearch } from './search-query.js';

it.each([
  ['ej_app_1', 'application'],
  ['job_4711', 'job'],
  ['co_1', 'company'],
  ['key_1', 'key'],
  ['ptn_1', 'partner'],
  ['evt_1', 'event'],
  ['ada@example.com', 'email'],
  ['+14155550123', 'phone'],
  ['+1 (415) 555-0123', 'phone'],
  ['0014155550123', 'phone'],
  ['Lovelace', 'name'],
  ['de la Cruz', 'name'],
  ['O’Neill-Smith', 'name'],
  ['García', 'name'],
  ['山田', 'name'],
  ['4711', 'source'],
  ['ats-4711', 'source'],
  ['a/b', 'source'],
])('%s looks like %s', (text, kind) => {
  expect(recognizeSearch(text)).toBe(kind);
});

it('ids are not personal', () => {
  expect((['name', 'email', 'phone'] as const).every(isPersonal)).toBe(true);
  expect((['source', 'application', 'job', 'key', 'event'] as const).some(isPersonal)).toBe(false);
});

it('writes 00 as a plus', () => {
  expect([phoneOf('00 1 415'), phoneOf('+1 415')]).toEqual(['+ 1 415', '+1 415']);
});
