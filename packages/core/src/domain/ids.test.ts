import { describe, expect, test } from 'vitest';
import { ID_PREFIXES, type IdKind, isIdOf } from './ids.js';

const PREFIXES: readonly [IdKind, string][] = [
  ['company', 'co_'],
  ['job', 'job_'],
  ['application', 'ej_app_'],
  ['event', 'evt_'],
  ['partner', 'ptn_'],
  ['key', 'key_'],
];

describe.each(PREFIXES)('an id of a %s', (kind, prefix) => {
  test(`starts with ${prefix}`, () => {
    expect(ID_PREFIXES[kind]).toBe(prefix);
    expect(isIdOf(kind, `${prefix}1`)).toBe(true);
    expect(isIdOf(kind, `${prefix.toUpperCase()}1`)).toBe(false);
    expect(isIdOf(kind, '1')).toBe(false);
  });

  test('continues with 1 to 120 characters of A-Z a-z 0-9 _ -', () => {
    expect(isIdOf(kind, `${prefix}${'x'.repeat(120)}`)).toBe(true);
    expect(isIdOf(kind, `${prefix}Az09_-`)).toBe(true);
    for (const rest of ['', 'x'.repeat(121), 'a b', 'a/b', 'ä', 'a.b', 'a\n', 'a\u0000']) {
      expect(isIdOf(kind, prefix + rest), JSON.stringify(rest)).toBe(false);
    }
  });
});
