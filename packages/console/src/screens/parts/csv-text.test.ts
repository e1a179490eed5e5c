import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from './csv-text.js';

describe('a CSV cell', () => {
  it.each(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'])(
    'that begins with %j gets a single quote before it, so that no spreadsheet runs it',
    (sign) => {
      expect(csvCell(`${sign}HYPERLINK("https://evil.example")`)).toMatch(/^"'/);
      expect(csvCell(`a;${sign}1`)).toBe(`"a;'${sign}1"`);
    },
  );

  it('keeps other texts, and doubles its quotes', () => {
    expect(csvCell('A… L… <a@b.example> 1-2')).toBe('"A… L… <a@b.example> 1-2"');
    expect(csvCell('say "hi", all')).toBe('"say ""hi"", all"');
    expect(csvLine(['a', '', 'b'])).toBe('"a","","b"\r\n');
  });
});
