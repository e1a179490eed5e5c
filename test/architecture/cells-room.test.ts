/** Cells have a room of their own: a reader of any other file need not know them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, ROOT, sourcesOf } from './sources.js';

const ROOM = 'packages/postgres/src/cells/';

/** The entry of the package, and the function that opens a storage. They only import from the room. */
const DOORS = ['packages/postgres/src/index.ts', 'packages/postgres/src/create-postgres-storage.ts'];

/** Statements that import from the room. */
const FROM_ROOM = /^(?:import|export) [^;]*from '\.\/cells\/[^']+';$/gm;

/** Matches `cells`, `cellOf`, `PostgresCell`, `CELLS` and `ph_cell`, but not `cancelled`. */
const NAMES_CELLS = /(?<![a-z])cells?(?![a-z])|Cells?(?![a-z])|(?<![A-Z])CELLS?(?![A-Z])/;

/** In the console, a cell is one of a table on a page. `test-support` opens storages with cells. */
const LEFT_OUT = ['console', 'test-support'];

const SOURCES = readdirSync(join(ROOT, 'packages'))
  .filter((name) => !LEFT_OUT.includes(name))
  .flatMap((name) => sourcesOf(name))
  .filter((file) => !file.startsWith(ROOM));

describe('the room of cells', () => {
  test('is named by no file outside it', () => {
    const naming = SOURCES.filter((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return NAMES_CELLS.test(DOORS.includes(file) ? text.replaceAll(FROM_ROOM, '') : text);
    });
    expect(naming).toEqual([]);
  });

  test('is imported by its doors only', () => {
    const importing = SOURCES.filter((file) => importsOf(file).some(({ to }) => to.startsWith(ROOM)));
    expect(importing.sort()).toEqual([...DOORS].sort());
  });

  test.each(['cells', 'cellOf', 'PostgresCell', 'CELLS', 'ph_cell', 'the cell.'])('would see %s', (word) => {
    expect(word).toMatch(NAMES_CELLS);
  });

  test.each(['cancelled', 'isCancelled', 'Cancelling', 'excellent'])('does not see %s', (word) => {
    expect(word).not.toMatch(NAMES_CELLS);
  });
});
