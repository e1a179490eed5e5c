import { expect, test } from 'vitest';
import { didYouMean } from './did-you-mean.js';

const KNOWN = ['list', 'create', 'publish', 'public', 'archive', 'applicationFormAnswers.*', 'since'];

test.each([
  ['lsit', ' Did you mean list?'],
  ['crate', ' Did you mean create?'],
  ['publihs', ' Did you mean publish?'],
  ['publi', ' Did you mean public?'],
  ['Since', ' Did you mean since?'],
  ['applicationFormAnswer.*', ' Did you mean applicationFormAnswers.*?'],
])('"%s" is like a known word', (typed, expected) => {
  expect(didYouMean(typed, KNOWN)).toBe(expected);
});

test.each(['', 'x', '-h', '--help', 'help', 'constructor', 'wholly different'])(
  '"%s" is like no known word',
  (typed) => {
    expect(didYouMean(typed, KNOWN)).toBe('');
  },
);
