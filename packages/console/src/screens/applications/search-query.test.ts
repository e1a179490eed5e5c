import { expect, it } from 'vitest';
import { isById, lastNameOf, phoneOf, recognizeSearch } from './search-query.js';

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
  ['Lovelace, Ada', 'name'],
  ['de la Cruz', 'name'],
  ['O’Neill-Smith', 'name'],
  ['García', 'name'],
  ['山田', 'name'],
  ['4711', 'source'],
  ['415 555 0123', 'source'],
  ['ats-4711', 'source'],
  ['a/b', 'source'],
  ['job_Lovelace, Ada', 'source'],
  ['ej_app_', 'source'],
  [`key_${'x'.repeat(121)}`, 'source'],
])('%s looks like %s', (text, kind) => {
  expect(recognizeSearch(text)).toBe(kind);
});

it('only ids of ours lead to an address', () => {
  expect((['name', 'email', 'phone', 'source'] as const).some(isById)).toBe(false);
  expect((['application', 'job', 'key', 'event'] as const).every(isById)).toBe(true);
});

it('takes the last name before a comma, and 00 as a plus', () => {
  expect([lastNameOf('Lovelace, Ada'), lastNameOf(' de la Cruz ')]).toEqual(['Lovelace', 'de la Cruz']);
  expect([phoneOf('00 1 415'), phoneOf('+1 415')]).toEqual(['+ 1 415', '+1 415']);
});
