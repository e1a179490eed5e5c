/**
 * Decoys in `public` for the operators and functions that the library uses. If the types of the arguments fit a decoy
 * exactly, and PostgreSQL's own operator or function only after a conversion, PostgreSQL prefers the decoy.
 */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { postgresUrl } from './database.js';

/** The operators of the library's statements. `in`, `between`, `case` and `is distinct from` use them too. */
export const DECOY_OPERATORS = ['=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '||', '~~', '->>'];

/** The functions of the library's statements. */
export const DECOY_FUNCTIONS = (
  'array_agg array_to_string clock_timestamp concat concat_ws count current_database current_setting floor format ' +
  'format_type has_database_privilege has_schema_privilege has_table_privilege json_agg json_array_elements_text ' +
  'json_to_recordset lower max min now pg_advisory_xact_lock pg_backend_pid pg_control_system pg_current_xact_id ' +
  'pg_current_xact_id_if_assigned pg_get_constraintdef pg_get_expr pg_get_indexdef pg_get_triggerdef pg_is_in_recovery ' +
  'pg_my_temp_schema pg_notify quote_ident replace row_security_active row_to_json set_config split_part starts_with ' +
  'statement_timestamp string_agg sum to_jsonb to_regclass unnest version'
).split(' ');

/** The types of the library's columns and parameters, and of the catalogs that it reads. */
const TYPES = (
  'bool int2 int4 int8 numeric float8 text name "char" oid regclass xid8 json jsonb timestamptz interval record ' +
  'text[] name[] int8[]'
).split(' ');

/**
 * Creates a database with decoys. Nobody may call them, so a statement that resolves to one fails with
 * `permission denied for function decoy`, even if no row reaches it.
 */
export async function createDecoyedDatabase() {
  const name = `decoyed_${randomBytes(4).toString('hex')}`;
  const [superuser, app, stranger] = ['', `${name}_app`, `${name}_stranger`].map((role) => {
    const url = new URL(postgresUrl());
    url.pathname = name;
    if (role !== '') [url.username, url.password] = [role, role];
    return url.href;
  }) as [string, string, string];
  for (const role of ['app', 'stranger'])
    await runOn(postgresUrl(), `create role ${name}_${role} login password '${name}_${role}'`);
  await runOn(postgresUrl(), `create database ${name} owner ${name}_app`);
  await runOn(superuser, 'grant create on schema public to public');
  await runOn(stranger, PLANT);
  return {
    /** The URL of a role that may create schemas, is no superuser, and may not call a decoy. */
    connectionString: app,
    /** Runs a statement as superuser. */
    run: (sql: string) => runOn(superuser, sql),
    drop: async () => {
      await runOn(postgresUrl(), `drop database ${name} with (force)`);
      await runOn(postgresUrl(), `drop role ${name}_app, ${name}_stranger`);
    },
  };
}

async function runOn(connectionString: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const list = (values: readonly string[]) =>
  `array[${values.map((value) => `'${value}'`).join(', ')}]::text[]`;

/** Leaves out decoys with the same arguments as an operator or function in `pg_catalog`, which would hide them. */
const PLANT = `
set search_path = pg_catalog;
do $plant$
declare
  types text[] := ${list(TYPES)};
  body text := 'returns boolean language plpgsql as $$ begin raise ''A decoy was called.''; end $$';
  made text;
begin
  for made in
    select format('create function public.decoy(%s, %s) %s', l, r, body) from unnest(types) l, unnest(types) r
    union all
    select format('create operator public.%s (function = public.decoy, leftarg = %s, rightarg = %s)', name, l, r)
      from unnest(${list(DECOY_OPERATORS)}) name, unnest(types) l, unnest(types) r
      where not exists (
        select from pg_operator where oprname = name and oprleft = l::regtype and oprright = r::regtype
      )
    union all
    select distinct format('create function public.%I(%s) %s', proname, given, body)
      from pg_proc, lateral (
        select l as given from unnest(types) l where pronargs = 1 and provariadic = 0
        union all select l || ', ' || r from unnest(types) l, unnest(types) r where pronargs = 2 and provariadic = 0
        union all select format('%s, variadic %s[]', l, r) from unnest(types) l, unnest(types) r
          where provariadic <> 0 and r <> 'record' and r not like '%[]'
      ) each
      where pronamespace = 'pg_catalog'::regnamespace and proname = any (${list(DECOY_FUNCTIONS)})
  loop
    execute made;
  end loop;
end $plant$;
revoke execute on all functions in schema public from public;
`;
