/** Contract: 13. */
import { expect, it } from 'vitest';
import { readPage } from './fences.js';

it('the API changelog has entries with dates, descriptions and migration guidance; the first is v1', () => {
  const entries = readPage('docs/api-changelog.md')
    .split(/^## (?=\d)/m)
    .slice(1);
  expect(entries.at(-1)).toMatch(/^\d{4}-\d{2}-\d{2}: v1\n\nInitial release\./);
  for (const entry of entries) {
    expect(entry).toMatch(/^\d{4}-\d{2}-\d{2}: v\d+( .+)?\n/);
    expect(entry).toMatch(/^- Migration: \S/m);
  }
});
