import { expect, test } from 'vitest';
import { fillIn } from './fill-in.js';

test('what was filled in is not filled in again: an address may have the digits of another port in it', () => {
  const filling = { '4000': '45123', 'http://a:3000': 'http://b:34000' };
  expect(fillIn('http://a:3000/x 4000', filling)).toBe('http://b:34000/x 45123');
});

test('what is to be filled in is taken by the letter, each time it is there', () => {
  expect(fillIn('a.c abc a.c $&', { 'a.c': '$1', '$&': '.' })).toBe('$1 abc $1 .');
});

test('the longer of two that begin alike is filled in', () => {
  expect(fillIn('key key_1', { key: 'a', key_1: 'b' })).toBe('a b');
});

test('nothing to fill in leaves the text', () => {
  expect(fillIn('text', {})).toBe('text');
});
