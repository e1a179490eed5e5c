import { expect, test } from 'vitest';
import { painted, terminalJson, terminalLines } from './terminal-text.js';

const POISON = '\u001b[2J\u001b]0;owned\u0007\u009b2J\r\u202e\u2066\u007f';
const HARMFUL = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

test('nothing that is printed steers the terminal, and our colors stay', () => {
  expect(terminalLines(`a${POISON}\nb`)).not.toMatch(HARMFUL);
  expect(terminalLines(new Error(POISON))).not.toMatch(HARMFUL);
  expect(terminalLines(`${painted('red', `x${POISON}`)}\n${painted('gray', 'y')}`)).toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are our colors
    /^\u001b\[31mx[^\p{Cc}]*\u001b\[39m\n\u001b\[90my\u001b\[39m$/u,
  );
});

test('JSON means the same', () => {
  const value = { url: POISON, checks: [POISON] };
  expect(terminalJson(value)).not.toMatch(HARMFUL);
  expect(JSON.parse(terminalJson(value))).toEqual(value);
});

test('a signing secret is not printed', () => {
  expect(terminalLines("Unknown option '--whsec_abc-DEF_123'.")).toBe("Unknown option '--whsec_***'.");
});
