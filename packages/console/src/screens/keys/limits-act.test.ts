import { expect, it } from 'vitest';
import { usualText } from './limits-act.js';

it('says the usual limit where it is known', () => {
  expect(usualText('submit_application', 10)).toBe('Usually 10 a minute per company');
  expect(usualText('list_jobs', 1_200)).toBe('Usually 1,200 a minute');
  expect(usualText('list_jobs', Number.MAX_SAFE_INTEGER)).toBeUndefined();
});
