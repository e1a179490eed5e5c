import { expect } from 'vitest';
import type { Fence } from './fences.js';

/**
 * Expects what a page shows to be printed: its lines, in their order, with others between them.
 *
 * An ellipsis stands for anything, digits for any digits, and the spaces between words for any. What follows the
 * prefix of an identifier that an ellipsis ends is anybody's.
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
