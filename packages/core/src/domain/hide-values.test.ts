import { expect, it } from 'vitest';
import { hideValues } from './hide-values.js';

it('a Latin value of four letters is hidden within words too, and a shorter one only as a word', () => {
  expect(hideValues('adamant and Adam', ['Adam'])).toBe('…ant and …');
  expect(hideValues('adamant, Ada', ['Ada'])).toBe('adamant, …');
  // Two letters of another script say much more.
  expect(hideValues('山田太郎', ['山田'])).toBe('…太郎');
});
