import { resolve } from 'node:path';
import { readDatabaseValue } from '../../connection/database-value.js';

/** Where a database is. */
export type DatabaseAddress =
  | {
      readonly kind: 'postgres';
      readonly connectionString: string;
      /** Default `partner_hiring`. */
      readonly schema?: string | undefined;
      /** All schemas of the storage, in its order. Instead of `schema`. */
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
    }
  /** It is neither. The problem is a sentence without the value, which may contain a password. */
  | { readonly kind: 'refused'; readonly problem: string };

const STANDARD_SCHEMA = 'partner_hiring';

/** Reads a text as a PostgreSQL URL or as the path of a SQLite file. Also checks an address that names its kind. */
export function resolveAddress(database: string | DatabaseAddress, given?: string): ResolvedAddress {
  const address = typeof database === 'string' ? null : database;
  const text = typeof database === 'string' ? database : textOf(database);
  const read = readDatabaseValue(text);
  if (read.kind === 'refused') return { kind: 'refused', problem: `The database ${read.problem}` };
  if (address !== null && address.kind !== read.kind) {
    return { kind: 'refused', problem: `The database is not of the kind ${address.kind}.` };
  }
  if (read.kind === 'sqlite')
    return { kind: 'sqlite', file: address?.kind === 'sqlite' ? address.file : read.file };
  const named = address?.kind === 'postgres' ? address : {};
  const { schemas, schema = schemas?.[0] ?? given ?? STANDARD_SCHEMA }: NamedSchemas = named;
  return { ...read, schema, schemas: schemas ?? [schema] };
}

type NamedSchemas = Pick<Extract<DatabaseAddress, { kind: 'postgres' }>, 'schema' | 'schemas'>;

function textOf(address: DatabaseAddress): string {
  return address.kind === 'sqlite' ? address.file : address.connectionString;
}

/** Returns how to name the database to a person: never with the user, the password or the parameters. */
export function placeOfAddress(address: ResolvedAddress): string {
  if (address.kind === 'refused') return 'The database';
  if (address.kind === 'sqlite') return resolve(address.file);
  const [withoutParameters = ''] = address.connectionString.split('?');
  return withoutParameters.replace(/^.*@/s, '').replace(/^[a-z]+:\/\//i, '');
}
