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

/** Where the pages are outside of a clone. */
const REPOSITORY = (() => {
  const { repository } = JSON.parse(readPage('package.json')) as {
    readonly repository: { readonly url: string };
  };
  return `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;
})();

/** The READMEs that npm shows without the other pages. */
const isPacked = (page: string) => /^packages\/[^/]+\/README\.md$/.test(page);

/** Returns what is wrong with a link; null if it works or leads to other places of the web. */
function faultOf(page: string, link: string): string | null {
  const inRepository = link.startsWith(REPOSITORY);
  if (/^[a-z]+:/.test(link) && !inRepository) return null;
  if (isPacked(page) && !inRepository && !link.startsWith('#')) {
    return `${page} links to ${link}, which npm does not show: begin it with ${REPOSITORY}.`;
  }
  const [path = '', anchor] = link.replace(REPOSITORY, '').split('#');
  const target = path === '' ? page : normalize(join(inRepository ? '.' : dirname(page), path));
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

test('finds relative links in the READMEs of packages, and missing pages of the repository', () => {
  const faultIn = (link: string) => faultOf('packages/core/README.md', link);
  expect(faultIn('../../docs/embed.md')).toContain('npm does not show');
  expect(faultIn('LICENSE')).toContain('npm does not show');
  expect(faultIn(`${REPOSITORY}docs/nowhere.md`)).toContain('docs/nowhere.md does not exist');
  expect(faultIn(`${REPOSITORY}docs/embed.md#nothing`)).toContain('has no such heading');
  expect(faultIn(`${REPOSITORY}docs/embed.md#in-express`)).toBeNull();
});

test('docs/README.md links to every page', () => {
  const pages = listPages().filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  const linked = linksOf('docs/README.md').map((link) => `docs/${link}`);
  expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
});
