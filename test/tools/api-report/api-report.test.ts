import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { openPublicSurface, publishedPackages } from '../../architecture/published.js';
import { ROOT } from '../../architecture/sources.js';
import { apiReport, reportFileOf } from './api-report.js';
import { namedBy, nameOf, namesOf, sectionsOf } from './named-types.js';

const surface = openPublicSurface();

test.each(publishedPackages())(
  'the report of $name shows its public API; if not, run `npm run api-report`',
  (published) => {
    expect(readFileSync(join(ROOT, reportFileOf(published)), 'utf8')).toBe(apiReport(published, surface));
  },
);

/** The port of a storage, whose authors also import from `core/ports`, and a rule that only they call. */
const FOR_STORAGES = new Set(['Storage', 'startsAfter']);

test('a host imports its types, ids included, from `@partner-hiring/core`: its report declares each type that it names', () => {
  const core = publishedPackages().find(({ name }) => name === '@partner-hiring/core');
  if (core === undefined) throw new Error('Core is not published.');
  const sections = sectionsOf(readFileSync(join(ROOT, reportFileOf(core)), 'utf8'));
  const ofHost = sections.find(({ path }) => path === core.name);
  if (ofHost === undefined) throw new Error('The report of core has no section of its own.');

  const { checker, source } = surface;
  const entry = core.entries.get(core.name) ?? '';
  const globals = checker.getSymbolsInScope(source(entry), ts.SymbolFlags.Type).map(({ name }) => name);
  const known = new Set([...globals, ...namesOf(ofHost)]);
  const missing = ofHost.declarations
    .filter((declaration) => !FOR_STORAGES.has(nameOf(declaration)))
    .flatMap((declaration) => [...namedBy(declaration)].filter((name) => !known.has(name)));
  expect([...new Set(missing)].sort()).toEqual([]);
  expect(known.size - globals.length).toBeGreaterThan(300);
});

test.each([
  ['interface A extends B { }', ['B']],
  ['interface A { b(c: C): Promise<readonly D[]>; }', ['C', 'Promise', 'D']],
  ['type A = Omit<B, "c"> & { readonly d: E | null; };', ['Omit', 'B', 'E']],
  ['type A<T extends B> = T | (typeof CS)[number];', ['B', 'CS']],
  ['const a: <T>(b: T) => C;', ['C']],
])('the report would name what is missing in: %s', (text, named) => {
  const [section] = sectionsOf(`## \`a\`\n\n\`\`\`ts\n${text}\n\`\`\`\n`);
  expect(section?.declarations.flatMap((declaration) => [...namedBy(declaration)])).toEqual(named);
});
