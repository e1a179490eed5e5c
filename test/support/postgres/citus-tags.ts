import pg, { type QueryConfig, type QueryResult } from 'pg';
import { createTestSchema } from './database.js';

/** Every table of the storage is a single-shard table, colocated with those of its schema. */
const CATALOG = `
  set allow_system_table_mods = on;
  create view pg_catalog.pg_dist_partition as
    select oid::regclass as logicalrelid, 'n'::"char" as partmethod, relnamespace::int as colocationid,
      's'::"char" as repmodel
    from pg_class where relkind = 'r' and starts_with(relname::text, 'ph_')`;

/** A database without Citus that has a made-up catalog of Citus. The catalog says that each schema is one shard. */
export function createCitusStandIn() {
  const { connectionString, schema: name, run } = createTestSchema();
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    create: async () => {
      await run(`create database ${name}`);
      await createTestSchema(url.href).run(CATALOG);
    },
    drop: async () => {
      await run(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Returns what Citus would refuse about a statement on tables in one shard, or null. */
export function refusedByCitus(text: string): string | null {
  const sql = text.replace(/'(?:[^']|'')*'|--.*$/gm, "''");
  if (/;\s*\S/.test(sql) && /\b(?:create|alter|drop)\b/.test(sql)) return 'several statements at once';
  if (clausesOf(sql, 'values').some(hasSelect)) return 'a sub-select in `values`';
  if (clausesOf(sql, 'set').some(hasSelect)) return 'a sub-select in `set`';
  if (clausesOf(sql, 'returning').some((clause) => NOT_OF_A_ROW.test(clause))) {
    return 'the clock or a parameter in `returning`';
  }
  if (sql.includes('set_config(') && sql.includes('ph_')) return '`set_config` in a statement on a table';
  return null;
}

const NOT_OF_A_ROW = /\b(?:statement_timestamp|clock_timestamp|now)\(|\$\d/;

function hasSelect(clause: string): boolean {
  return /\(\s*select\b/.test(clause);
}

const NEXT_CLAUSE = /^(?:from|where|returning|on conflict)\b/;

/**
 * Returns the text after each occurrence of a keyword, up to the next clause or the end of the surrounding parentheses.
 */
function clausesOf(sql: string, keyword: string): readonly string[] {
  return [...sql.matchAll(new RegExp(`\\b${keyword}\\b`, 'g'))].map(({ index }) => {
    const rest = sql.slice(index + keyword.length);
    return rest.slice(0, endOfClause(rest));
  });
}

function endOfClause(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && text[at - 1] === ' ' && NEXT_CLAUSE.test(text.slice(at)))) return at;
  }
  return text.length;
}

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
