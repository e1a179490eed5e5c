/** The base of the storage knows no feature, and a feature only those that it needs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FEATURES } from '../../packages/core/src/features/features.js';
import { type Import, importsIn, importsOf, ROOT, sourcesOf } from './sources.js';

const SOURCES = 'packages/storage-kysely/src/';
/** The static lists, and the files that compose the storage of them. */
const LISTS = ['features/exported.ts', 'features/features.ts', 'features/tables.ts'];
const COMPOSING = ['index.ts', 'schema.ts', 'storage.ts'];

const inside = (path: string) => (path.startsWith(SOURCES) ? path.slice(SOURCES.length) : path);

/** The feature in whose room a file is, or null for a file of the base and for a list. */
const featureOf = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1] ?? null;

/** Whether a file may know the room of a feature. */
function mayKnow(file: string, feature: string): boolean {
  const own = featureOf(file);
  if (own === null) return LISTS.includes(file);
  return (
    own === feature || FEATURES.some(({ name, needs }) => name === own && needs?.some((n) => n === feature))
  );
}

/** The imports that the rooms do not allow, as `from → to`. */
function breaches(imports: readonly Import[]): readonly string[] {
  return imports
    .map(({ from, to }) => ({ from: inside(from), to: inside(to) }))
    .filter(({ from, to }) => {
      if (LISTS.includes(to)) return !LISTS.includes(from) && !COMPOSING.includes(from);
      const feature = featureOf(to);
      return feature !== null && !mayKnow(from, feature);
    })
    .map(({ from, to }) => `${from} → ${to}`);
}

const FILES = sourcesOf('storage-kysely');
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The feature of each table that one describes. */
const TABLES = new Map(
  FILES.flatMap((file) => {
    const feature = featureOf(inside(file));
    if (feature === null || !file.endsWith('/table.ts')) return [];
    return [...textOf(file).matchAll(/\btable\(\s*'(\w+)'/g)].map(
      ([, name = '']) => [name, feature] as const,
    );
  }),
);

/** The tables of features that a text names but its file may not know, as `file: table`. */
function namedTables(file: string, text: string): readonly string[] {
  const names = new Set([...text.matchAll(/\bph_\w+/g)].map(([name]) => name));
  return [...names]
    .filter((name) => TABLES.has(name) && !mayKnow(inside(file), TABLES.get(name) ?? ''))
    .map((name) => `${inside(file)}: ${name}`);
}

describe('rooms of the storage', () => {
  test('have the names of features of core, and each has queries', () => {
    const rooms = readdirSync(join(ROOT, SOURCES, 'features'), { withFileTypes: true });
    const names = rooms.filter((room) => room.isDirectory()).map(({ name }) => name);
    expect(names.filter((name) => !FEATURES.some((feature) => feature.name === name))).toEqual([]);
    expect(names.filter((name) => !FILES.includes(`${SOURCES}features/${name}/queries.ts`))).toEqual([]);
    expect(names.length).toBeGreaterThan(10);
  });

  test('are imported by the lists, and by features that need them', () => {
    expect(breaches(FILES.flatMap((file) => importsOf(file)))).toEqual([]);
  });

  test('have tables that only they name, and features that need them', () => {
    expect(TABLES.size).toBeGreaterThan(15);
    expect(FILES.flatMap((file) => namedTables(file, textOf(file)))).toEqual([]);
  });

  test.each([
    ['system/work.ts', "import { prepareAudit } from '../features/audit/queries.js'"],
    ['system/work.ts', "import type { AUDIT } from '../features/audit/table.js'"],
    ['system/work.ts', "import { WORK_PARTS } from '../features/features.js'"],
    ['storage.ts', "import { prepareAudit } from './features/audit/queries.js'"],
    ['features/audit/queries.ts', "import { INBOX_ENTRIES } from '../inbox/table.js'"],
    ['features/privacy/queries.ts', "import { INBOX_ENTRIES } from '../tables.js'"],
  ])('in %s, %s is a breach', (file, text) => {
    expect(breaches(importsIn(SOURCES + file, text))).toHaveLength(1);
  });

  test('a name of a table in the base, or in a feature that does not need it, is found', () => {
    const text = "queries.selectFrom('ph_inbox_entry as entry')";
    expect(namedTables(`${SOURCES}system/work.ts`, text)).toEqual(['system/work.ts: ph_inbox_entry']);
    expect(namedTables(`${SOURCES}features/audit/queries.ts`, text)).toHaveLength(1);
    expect(namedTables(`${SOURCES}features/privacy/queries.ts`, text)).toEqual([]);
  });
});
