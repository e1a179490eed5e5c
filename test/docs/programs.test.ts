/** Every program of every page, in the strict terms that the sources are held to; those for partners in loose ones, too. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compile } from './compile.js';
import { fencesOf, listFencedPages } from './fences.js';
import { isProgram, layOut } from './lay-out.js';

const COMPILER_MS = 120_000;

/** Pages that partners read: their projects are as they are, and many are not strict. */
const FOR_PARTNERS =
  /^(?:docs\/(?:quick-start-partner|partner-guide|webhooks|sync|sandbox)\.md|packages\/(?:client|certify)\/README\.md)$/;

/** A page whose programs need an ORM. `test/outside` compiles and runs them. */
const WITH_ORM = 'docs/from-an-existing-platform.md';

/** One folder for each page that has programs; what it is called says which. */
function layOutAll(folder: string, pages = /(?:)/): void {
  const isLaidOut = (page: string) => pages.test(page) && page !== WITH_ORM && fencesOf(page).some(isProgram);
  for (const page of listFencedPages().filter(isLaidOut)) {
    layOut(page, join(folder, page.replaceAll('/', '+')));
  }
}

test('the programs of all pages compile', { timeout: COMPILER_MS }, () => {
  const { count, problems } = compile(layOutAll);
  expect(count).toBeGreaterThan(20);
  expect(problems).toBe('');
});

test('those for partners compile in a project that is not strict, too', { timeout: COMPILER_MS }, () => {
  const { count, problems } = compile((folder) => layOutAll(folder, FOR_PARTNERS), {
    strict: false,
    exactOptionalPropertyTypes: false,
  });
  expect(count).toBeGreaterThan(10);
  expect(problems).toBe('');
});

test('programs take pg as all versions of our range give it: before 8.15 Node finds no names in it', () => {
  const byName = listFencedPages()
    .flatMap((page) => fencesOf(page))
    .filter((fence) => isProgram(fence) && /^import \{.*\} from 'pg'/m.test(fence.text));
  expect(byName.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
});
