import { resolve } from 'node:path';

/** Where a database is. */
export type DatabaseAddress =
  | {
      readonly kind: 'postgres';
      readonly connectionString: string;
      /** Default `partner_hiring`. */
      readonly schema?: string | undefined;
      /** The cells, the home cell first. Instead of `schema`. */
      readonly schemas?: readonly string[] | undefined;
    }
  | { readonly kind: 'sqlite'; readonly file: string };

/** A database, with the name of its schema, and of all schemas that the user named. */
export type ResolvedAddress =
  | Extract<DatabaseAddress, { kind: 'sqlite' }>
  | {
      readonly kind: 'postgres';
      readonly connectionString: string;
      readonly schema: string;
      readonly schemas: readonly string[];
    };

const STANDARD_SCHEMA = 'partner_hiring';

/** Reads a text as a PostgreSQL address if it is such a URL, and otherwise as the path of a SQLite file. */
export function resolveAddress(database: string | DatabaseAddress, given?: string): ResolvedAddress {
  if (typeof database !== 'string') {
    if (database.kind === 'sqlite') return { kind: 'sqlite', file: database.file };
    const { connectionString, schemas, schema = schemas?.[0] ?? given ?? STANDARD_SCHEMA } = database;
    return { kind: 'postgres', connectionString, schema, schemas: schemas ?? [schema] };
  }
  const schema = given ?? STANDARD_SCHEMA;
  const text = database.trim();
  return /^postgres(?:ql)?:\/\//i.test(text)
    ? { kind: 'postgres', connectionString: text, schema, schemas: [schema] }
    : { kind: 'sqlite', file: text.replace(/^file:(?:\/\/)?/, '') };
}

/** Returns how to name the database to a person: never with the user, the password or the parameters. */
export function placeOf(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return resolve(address.file);
  // The password may contain any character, so only the text after the last `@` is safe.
  const rest = address.connectionString.replace(/^.*@/s, '').replace(/^postgres(?:ql)?:\/\//i, '');
  return rest.replace(/[?#&].*$/s, '');
}
