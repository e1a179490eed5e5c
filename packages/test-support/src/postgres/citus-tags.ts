import pg, { type QueryConfig, type QueryResult } from 'pg';
import { refusedByCitus } from './citus-forms.js';

/** Matches a batch insert with `on conflict`. */
const ADDS_WHAT_IS_NEW = /^insert into [^()]+\([^()]+\) select\b.*\bjson_to_recordset\b.*\bon conflict\b/s;

/**
 * A client that reports the command tags of Citus, and refuses some of what Citus refuses. For
 * `insert … select … on conflict`, the tag counts the selected rows, not the inserted or updated ones.
 */
export class CitusTagsClient extends pg.Client {
  override query(...given: unknown[]): never {
    const text = textOf(given[0]);
    const refused = text === undefined ? null : refusedByCitus(text);
    if (refused !== null) throw new Error(`Citus refuses ${refused}: ${text}`);
    const answer: unknown = super.query(...(given as [QueryConfig<unknown[]>]));
    const counted =
      answer instanceof Promise ? answer.then((result) => asCitusCounts(given[0], result)) : answer;
    return counted as never;
  }
}

function textOf(query: unknown): string | undefined {
  return typeof query === 'string' ? query : (query as Partial<QueryConfig>).text;
}

function asCitusCounts(query: unknown, result: QueryResult): QueryResult {
  const { text, values } = query as Partial<QueryConfig<unknown[]>>;
  if (text === undefined || !ADDS_WHAT_IS_NEW.test(text)) return result;
  return { ...result, rowCount: (JSON.parse(String(values?.[0])) as readonly unknown[]).length };
}
