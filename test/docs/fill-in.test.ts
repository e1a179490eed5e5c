import { expect, test } from 'vitest';
import { fillIn } from './fill-in.js';

test('does not replace text inside a replacement', () => {
  const filling = { '4000': '45123', 'http://a:3000': 'http://b:34000' };
  expect(fillIn('http://a:3000/x 4000', filling)).toBe('http://b:34000/x 45123');
});

test('replaces every occurrence literally', () => {
  expect(fillIn('a.c abc a.c $&', { 'a.c': '$1', '$&': '.' })).toBe('$1 abc $1 .');
});

test('prefers the longer of two matches', () => {
  expect(fillIn('key key_1', { key: 'a', key_1: 'b' })).toBe('a b');
});

test('leaves the text if there is nothing to replace', () => {
  expect(fillIn('text', {})).toBe('text');
});
