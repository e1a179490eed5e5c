import type { DatabaseAddress, ResolvedAddress } from './database/address.js';
import type { DoctorDatabase, OpenedStorage } from './database/open-database.js';
import type { DoctorLimits } from './limits.js';
import type { Finding } from './report.js';

/** What a check may look at. */
export interface CheckInput {
  readonly address: ResolvedAddress;
  readonly database: DoctorDatabase;
  readonly secretKey: string | Uint8Array | null;
  /** The deployment of the processes. Null if they have none. */
  readonly deployment: string | null;
  /** Whether the processes prepare statements. */
  readonly preparedStatements: boolean;
  readonly limits: DoctorLimits;
  /** The clock of this machine, in milliseconds. */
  now(): number;
  /** The type of a file's file system, and the space on it. */
  fileSystem(file: string): FileSystem | Promise<FileSystem>;
  /** Opens the storage when it is first needed. */
  storage(): Promise<OpenedStorage>;
  /** The clock of the storage, which all stored times come from. */
  storageNow(): Promise<number>;
}

/** What a check needs to know about a disk. */
export interface FileSystem {
  /** Linux's number of the file system. */
  readonly type: number;
  readonly freeBytes: number;
  /** The name of the file system if locks may not work on it, such as `virtiofs`. */
  readonly shared?: string | null | undefined;
}

/** A check that only reads. It throws if it cannot tell. */
export interface DoctorCheck {
  readonly name: string;
  readonly on: 'both' | DatabaseAddress['kind'];
  /** The checks that must succeed first, because without them this check could find nothing out. */
  readonly needs: readonly string[];
  run(input: CheckInput): Finding | Promise<Finding>;
}

type Of<Kind extends DoctorDatabase['kind']> = Extract<DoctorDatabase, { readonly kind: Kind }>;

function onKind<Kind extends DoctorDatabase['kind']>(on: Kind) {
  const isOfKind = (database: DoctorDatabase): database is Of<Kind> => database.kind === on;
  return (
    name: string,
    needs: readonly string[],
    run: (database: Of<Kind>, input: CheckInput) => Finding | Promise<Finding>,
  ): DoctorCheck => ({
    name,
    on,
    needs,
    run: (input) => {
      const { database } = input;
      if (!isOfKind(database)) throw new Error(`${name} is a check of ${on}.`);
      return run(database, input);
    },
  });
}

/** Defines a check of PostgreSQL. */
export const onPostgres = onKind('postgres');

/** Defines a check of SQLite. */
export const onSqlite = onKind('sqlite');

/** Defines a check of both databases. */
export function onBoth(
  name: string,
  needs: readonly string[],
  run: (database: DoctorDatabase, input: CheckInput) => Finding | Promise<Finding>,
): DoctorCheck {
  return { name, on: 'both', needs, run: (input) => run(input.database, input) };
}

/** Defines a check that reads with the storage. */
export function onStorage(
  name: string,
  run: (storage: OpenedStorage, input: CheckInput) => Finding | Promise<Finding>,
): DoctorCheck {
  return { name, on: 'both', needs: ['storage'], run: async (input) => run(await input.storage(), input) };
}
