import { expect } from 'vitest';
import type { Fence } from './fences.js';

/**
 * Expects a fence's lines in the output, in order, with other lines between them.
 *
 * An ellipsis matches anything, digits match any digits, and spaces match any number of spaces. An abbreviated identifier such
 * as `key_01m7…` matches by its prefix `key_`.
 */
export function expectShown({ page, line, text }: Fence, printed: string): void {
  let rest = printed;
  for (const shown of text.split('\n').filter((each) => !/^[\s…]*$/.test(each))) {
    const found = patternOf(shown).exec(rest);
    expect(found, `${page}:${line} shows "${shown}", which is not in\n${rest}`).not.toBeNull();
    rest = rest.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
  }
}

function patternOf(shown: string): RegExp {
  const source = shown
    .trim()
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/(?<=_)[A-Za-z0-9]+…/g, '…')
    .replaceAll(/…/g, '.*')
    .replaceAll(/\d+/g, '\\d+')
    .replaceAll(/ +/g, ' +');
  return new RegExp(source);
}
