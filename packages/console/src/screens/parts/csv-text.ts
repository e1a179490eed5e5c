/**
 * The places where a spreadsheet could find a formula: at the start, and after each separator, because a spreadsheet of
 * another locale splits the cell there. Some spreadsheets ignore quotes, blanks and invisible characters before a sign. A
 * separator at the end counts too: the closing quote could begin a cell. `docs/host-guide.md` has a copy for hosts.
 */
const FORMULA =
  /^(?=[\r\n])|(?<=^|[,;|\p{Cc}\p{Zl}\p{Zp}])(?=[\p{Zs}\p{DI}"]*(?:[=+\-@\t＝＋－＠]|\r(?!\n)|(?<!^)$))/gu;

/** Writes a cell that every spreadsheet shows as text. Each formula in it gets a single quote before it. */
export function csvCell(text: string): string {
  return `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`;
}

/** Writes a line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
