import { expect, it } from 'vitest';
import { entryAt } from './describe-fact.js';

const reasonOf = (length: number) =>
  entryAt(5, { kind: 'resume', state: 'failed', reason: 'x'.repeat(length) }).text;

it('the text of an entry is cut to 499 characters', () => {
  const around = reasonOf(0).length;
  const whole = reasonOf(499 - around);
  expect(whole).toHaveLength(499);
  expect(whole).not.toContain('…');
  const cut = reasonOf(500 - around);
  expect(cut).toHaveLength(499);
  expect(cut.endsWith('x…')).toBe(true);
});
