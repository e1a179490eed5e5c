import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from './export-csv.js';

/** How a spreadsheet reads a file. Each setting occurs: it depends on the locale and on what the person chooses. */
interface Reading {
  readonly separators: string;
  /** Whether a cell that begins with a quote ends at the next single quote. Its rest, up to a separator, is literal. */
  readonly hasQuotes: boolean;
  /** Whether blanks before a cell are dropped. */
  readonly isTrimmed: boolean;
  /** Whether lines are split first, so that none is within quotes. */
  readonly isByLine: boolean;
}

function cellsOf(csv: string, reading: Reading): readonly string[] {
  const { separators, hasQuotes, isTrimmed, isByLine } = reading;
  if (isByLine) {
    return csv.split(/[\r\n]/).flatMap((line) => cellsOf(line, { ...reading, isByLine: false }));
  }
  const end = new RegExp(`[${separators}]|\\r?\\n|$`, 'g');
  const quoted = isTrimmed ? /\s*"((?:[^"]|"")*)"?/y : /"((?:[^"]|"")*)"?/y;
  const cells: string[] = [];
  for (let at = 0; at < csv.length; at = end.lastIndex + 1) {
    quoted.lastIndex = at;
    const found = hasQuotes ? quoted.exec(csv) : null;
    const from = found === null ? at : quoted.lastIndex;
    end.lastIndex = from;
    const { index } = end.exec(csv) ?? { index: csv.length };
    end.lastIndex = index;
    const cell = `${(found?.[1] ?? '').replaceAll('""', '"')}${csv.slice(from, index)}`;
    cells.push(isTrimmed ? cell.trim() : cell);
  }
  return cells;
}

const either = [true, false];
const READINGS: readonly Reading[] = [',', ';', '\t', '|', ',;\t'].flatMap((separators) =>
  either.flatMap((hasQuotes) =>
    either.flatMap((isTrimmed) => either.map((isByLine) => ({ separators, hasQuotes, isTrimmed, isByLine }))),
  ),
);

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/** A spreadsheet may also drop quotes, blanks and invisible characters before it looks for a sign. */
const RUNS = new RegExp(`^(?:[\t\r]|["\\s\u00ad\u200b\u2060\ufeff]*[${SIGNS.join('').replace('-', '\\-')}])`);

const PARTS = [...SIGNS, ...',;|\t\r\n"\'a1 ', '\r\n', '\u00a0', '\u00ad', '\u200b', '\u2060', '\ufeff'];
const text = fc.string({ unit: fc.constantFrom(...PARTS), maxLength: 12 });

describe('a CSV cell', () => {
  it.each([...SIGNS, '\t', '\r'])(
    'that begins with %j gets a single quote before it, so that no spreadsheet runs it',
    (sign) => {
      expect(csvCell(`${sign}HYPERLINK("https://evil.example")`)).toMatch(/^"'/);
      for (const before of [',', ';', '|', '\t', '\n', ';"', '; ', ';\u200b', ',\u00a0"'])
        expect(csvCell(`a${before}${sign}1`)).toMatch(/^"a[,;|\t\n]'/);
    },
  );

  it('with a formula after any separator is text to a spreadsheet of any locale', async () => {
    await fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1 }), (rows) => {
        const csv = rows.map(csvLine).join('');
        for (const reading of READINGS) {
          const run = cellsOf(csv, reading).filter((cell) => RUNS.test(cell));
          expect(run, JSON.stringify(reading)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keeps its text, but for the single quotes', async () => {
    const reading = { separators: ',', hasQuotes: true, isTrimmed: false, isByLine: false };
    await fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (cells) => {
        const withoutEnd = csvLine(cells).slice(0, -2);
        const read = cellsOf(withoutEnd, reading).map((cell) => cell.replaceAll("'", ''));
        expect(read).toEqual(cells.map((cell) => cell.replaceAll("'", '')));
      }),
    );
  });

  it('keeps numbers, times and other texts, and doubles its quotes', () => {
    for (const kept of [
      '5',
      '1,234',
      '3.5 %',
      '2026-01-31T09:00:00.000Z',
      'A… L… <a@b.example> 1-2',
      'a; b | c',
    ]) {
      expect(csvCell(kept)).toBe(`"${kept}"`);
    }
    expect(csvCell('say "hi", all')).toBe('"say ""hi"", all"');
    expect(csvCell('two\r\n\r\nlines,\r\nand more')).toBe('"two\r\n\r\nlines,\r\nand more"');
    expect(csvLine(['a', '', 'b'])).toBe('"a","","b"\r\n');
  });
});
