/** The rooms of the console: pages of the base know the list of features alone, and a feature knows those that it needs. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONSOLE_FEATURES } from '../../packages/console/src/features/features.js';
import { FEATURES } from '../../packages/core/src/features/features.js';
import { type Import, importsIn, importsOf, ROOT, sourcesOf } from './sources.js';

const CONSOLE = 'packages/console/src/';
const ROOMS = 'packages/console/src/features/';

/** What a page of the base may import of the rooms. */
const LIST = `${ROOMS}features.ts`;

/** Relations that only pages have. What is no longer needed is deleted here. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  /** The page of an operation shows the counts of a run. */
  operations: ['jobs-sync'],
};

/** Pages of the base that still import a room. The list can only shrink. */
const LEFT: readonly string[] = [];

/** The room of a file. Null for the base, and for the list. */
function roomOf(file: string): string | null {
  const [, room] = /^packages\/console\/src\/features\/([^/]+)\//.exec(file) ?? [];
  return room ?? null;
}

function relationsOf(room: string): readonly string[] {
  const needed = FEATURES.find(({ name }) => name === room)?.needs ?? [];
  return [room, ...needed, ...(SIGNED[room] ?? [])];
}

/** The imports that no rule allows, as `from → to`. */
function breaches(imports: readonly Import[]): readonly string[] {
  return imports
    .filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      if (from === LIST) return false;
      if (room === null) return other !== null;
      return to === LIST || (other !== null && !relationsOf(room).includes(other));
    })
    .map(({ from, to }) => `${from.slice(CONSOLE.length)} → ${to.slice(CONSOLE.length)}`);
}

const IMPORTS = sourcesOf('console').flatMap((file) => importsOf(file));

describe('the rooms of the console', () => {
  test('have the names of features, and each stands in the list once', () => {
    const rooms = readdirSync(join(ROOT, ROOMS), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(rooms.length).toBeGreaterThan(8);
    expect(CONSOLE_FEATURES.map(({ name }) => name).toSorted()).toEqual(rooms.toSorted());
    const known: readonly string[] = FEATURES.map(({ name }) => name);
    expect(rooms.filter((room) => !known.includes(room))).toEqual([]);
  });

  test('are known to the base by the list alone, and to one another by what core says that they need', () => {
    expect(breaches(IMPORTS).toSorted()).toEqual(LEFT.toSorted());
  });

  test('have no signed relation that is not used', () => {
    const used = IMPORTS.map(({ from, to }) => `${roomOf(from)} → ${roomOf(to)}`);
    const signed = Object.entries(SIGNED).flatMap(([room, others]) =>
      others.map((other) => `${room} → ${other}`),
    );
    expect(signed.filter((relation) => !used.includes(relation))).toEqual([]);
  });

  test.each([
    ['screens/keys/keys-screen.tsx', "import { ReadsSection } from '../../features/request-log/section.js'"],
    ['portal/portal-app.tsx', "import type { ConsoleFeature } from '../features/portal/section.js'"],
    ['features/audit/screen.tsx', "import { systemScreen } from '../system/screen.js'"],
    ['features/audit/screen.tsx', "import { CONSOLE_FEATURES } from '../features.js'"],
  ])('in %s, %s is a breach', (file, text) => {
    expect(breaches(importsIn(CONSOLE + file, text))).toHaveLength(1);
  });
});
