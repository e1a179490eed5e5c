/**
 * The beginnings that make a spreadsheet run a cell as a formula: of the cell, and of each part that a spreadsheet with
 * another separator would make of it. Some spreadsheets also take the full-width signs.
 */
const FORMULA = /(^|[\t\r\n;|])(\s*)([=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** Writes a cell that every spreadsheet shows as text. A formula gets a single quote before it. */
export function csvCell(text: string): string {
  return `"${text.replace(FORMULA, "$1'$2$3").replaceAll('"', '""')}"`;
}

/** Writes a line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
