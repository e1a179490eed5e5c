/** Checks the links between pages. */
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { listPages, ROOT, readPage } from './fences.js';

const FENCES = /^(`{3,}).*?^\1$/gms;
const INLINE_CODE = /`[^`\n]*`/g;
const LINK = /\]\(([^)\s]+)\)/g;

/** Returns a page's anchors, as GitHub derives them from its headings. Duplicates are numbered. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of readPage(page)
    .replaceAll(FENCES, '')
    .matchAll(/^#+ (.+)$/gm)) {
    const text = heading.replaceAll(/\]\([^)]*\)/g, '').toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    let numbered = anchor;
    for (let number = 1; anchors.has(numbered); number += 1) numbered = `${anchor}-${number}`;
    anchors.add(numbered);
  }
  return anchors;
}

/** Returns what is wrong with a link; null if it works or leads to the web. */
function faultOf(page: string, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return `${page} links to ${link}, but ${target} does not exist.`;
  if (anchor === undefined || anchorsOf(target).has(decodeURIComponent(anchor))) return null;
  return `${page} links to ${link}, but ${target} has no such heading.`;
}

const linksOf = (page: string) =>
  [...readPage(page).replaceAll(FENCES, '').replaceAll(INLINE_CODE, '').matchAll(LINK)].map(
    ([, link = '']) => link,
  );

test.each([...listPages(), 'CHANGELOG.md'])('every link of %s works', (page) => {
  const faults = linksOf(page).map((link) => faultOf(page, link));
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test('finds missing pages and headings, and skips the web', () => {
  expect(faultOf('docs/README.md', 'nowhere.md')).toContain('docs/nowhere.md does not exist');
  expect(faultOf('docs/README.md', '../CHANGELOG.md#nothing')).toContain('has no such heading');
  expect(faultOf('docs/README.md', '../CHANGELOG.md#unreleased')).toBeNull();
  expect(faultOf('docs/README.md', 'https://example.com/nowhere.md')).toBeNull();
});

test('docs/README.md links to every page', () => {
  const pages = listPages().filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  const linked = linksOf('docs/README.md').map((link) => `docs/${link}`);
  expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
});
