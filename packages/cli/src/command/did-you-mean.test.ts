import { expect, test } from 'vitest';
import { didYouMean } from './did-you-mean.js';

const KNOWN = ['list', 'create', 'publish', 'public', 'archive', 'since', 'until'];

test.each([
  ['lsit', ' Did you mean list?'],
  ['crate', ' Did you mean create?'],
  ['publihs', ' Did you mean publish?'],
  ['publi', ' Did you mean public?'],
  ['pub', ' Did you mean publish or public?'],
  ['add', ' Did you mean create or publish?'],
  ['delete', ' Did you mean archive?'],
  ['Since', ' Did you mean since?'],
])('"%s" is like a known word', (typed, expected) => {
  expect(didYouMean(typed, KNOWN)).toBe(expected);
});

test.each(['', 'x', 'constructor', 'wholly different'])('"%s" is like no known word', (typed) => {
  expect(didYouMean(typed, KNOWN)).toBe('');
});

test('options are suggested with their dashes', () => {
  expect(didYouMean('sinse', KNOWN, '--')).toBe(' Did you mean --since?');
});
