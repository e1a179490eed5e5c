import type { Fact, SystemStatus } from '@partner-hiring/core';
import type { Report } from '../command/command.js';
import { dimmed, terminalJson, terminalText } from './terminal-text.js';

/** The columns of a table: each title with the function that returns a row's text. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>;

/** Renders rows as a table. Without rows, the text of the report is `empty`. */
export function tableReport<Row>(rows: readonly Row[], columns: Columns<Row>, empty: string): Report {
  return { value: rows, text: rows.length === 0 ? empty : renderTable(rows, columns) };
}

/** A report of one sentence. */
export function sentence(text: string, value: unknown): Report {
  return { text, value };
}

/** Formats an instant in UTC to the second. A dash means none. */
export function moment(at: number | null): string {
  return at === null ? '-' : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** Renders a value as JSON, with ISO instants except within a candidate's answers. */
export function jsonText(value: unknown): string {
  return terminalJson(JSON.stringify(withInstants(value), null, 2));
}

function renderTable<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const titles = Object.keys(columns);
  const texts = rows.map((row) =>
    Object.values(columns).map((textOf) => terminalText(String(textOf(row) ?? '-'))),
  );
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...texts.map((row) => row[at]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [dimmed(line(titles)), ...texts.map(line)].join('\n');
}

/** Renders one line for each fact. `shown` replaces the texts of some fields. */
export function factsReport<Field extends string>(
  value: unknown,
  facts: readonly Fact<Field>[],
  shown: Partial<Readonly<Record<NoInfer<Field>, string>>> = {},
): Report {
  const width = Math.max(...facts.map(({ label }) => label.length));
  const lines = facts.map(({ field, label, value: fact }) =>
    terminalText(`${label.padEnd(width)}  ${shown[field] ?? factText(fact)}`),
  );
  return { value, text: lines.join('\n') };
}

function factText(value: Fact['value']): string {
  if (value === null || typeof value === 'number') return moment(value);
  return typeof value === 'string' ? value : value.join('; ');
}

function withInstants(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withInstants);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'answers' ? each : fieldWithInstants(key, each),
    ]),
  );
}

function fieldWithInstants(key: string, value: unknown): unknown {
  const isInstant = typeof value === 'number' && /(?:At|Until)$|^(?:at|since|until)$/.test(key);
  return isInstant ? new Date(value).toISOString() : withInstants(value);
}

/** Names the unknown countries of open jobs. Empty if all are known. */
export function unknownCountriesText(unknown: SystemStatus['unknownCountries']): string {
  if (unknown.length === 0) return '';
  const named = unknown.map(({ country, jobs }) => `"${terminalText(country)}" (jobs: ${jobs})`);
  return `Not known as countries: ${named.join(', ')}. Phone numbers for these jobs need a country code.`;
}

/** Joins the parts of a report, without those that are empty. */
export function paragraphs(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join('\n\n');
}
