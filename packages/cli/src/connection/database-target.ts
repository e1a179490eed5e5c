import { UsageError } from '../command/command-error.js';
import type { OptionValues } from '../command/command-option.js';
import { globalText } from '../command/global-options.js';
import { firstVariable, type ProcessEnvironment } from './connection-options.js';
import { DATABASE_EXAMPLES, readDatabaseValue } from './database-value.js';

/** A database that the command line names. */
export type DatabaseTarget =
  | {
      readonly kind: 'postgres';
      /** It may contain a password. Print it only through `createRedactor`. */
      readonly connectionString: string;
      /** Undefined means the default of the storage. */
      readonly schema: string | undefined;
      /** All schemas of the storage, in its order. Undefined means that there is only one. */
      readonly schemas?: readonly string[] | undefined;
      /** Where the database was named, for errors: an option or an environment variable. */
      readonly source: string;
    }
  | { readonly kind: 'sqlite'; readonly file: string; readonly source: string };

/** The environment variables that name the database. The first one that is set counts. */
const VARIABLES = ['PARTNER_HIRING_DATABASE', 'DATABASE_URL'];

/**
 * Reads which database to use.
 *
 * @throws UsageError if none is named, or it is neither a PostgreSQL URL nor the path of a file.
 */
export function readDatabaseTarget(globals: OptionValues, env: ProcessEnvironment): DatabaseTarget {
  const option = globalText(globals, 'database');
  const named = option === undefined ? firstVariable(env, VARIABLES) : { name: '--database', value: option };
  if (named === null || named.value.trim() === '') {
    throw new UsageError(
      `Name the database with --database, such as ${DATABASE_EXAMPLES}, or set ${VARIABLES.join(' or ')}.`,
    );
  }
  const schema = globalText(globals, 'schema');
  const schemas = readNames(globalText(globals, 'schemas'));
  if (schema !== undefined && schemas !== undefined) {
    throw new UsageError('Pass --schema or --schemas, not both.');
  }
  const { name: source } = named;
  const read = readDatabaseValue(named.value);
  if (read.kind === 'refused') throw new UsageError(`${source} ${read.problem}`);
  if (read.kind === 'postgres') return { ...read, schema, schemas, source };
  if (schema !== undefined || schemas !== undefined) {
    const name = schema === undefined ? '--schemas' : '--schema';
    throw new UsageError(`${name} needs a PostgreSQL database. SQLite has no schemas.`);
  }
  return { ...read, source };
}

function readNames(text: string | undefined): readonly string[] | undefined {
  const names = text?.split(',').map((name) => name.trim());
  if (names?.includes('') === true) {
    throw new UsageError('--schemas must be names, separated by commas, such as ph_1,ph_2.');
  }
  return names;
}
