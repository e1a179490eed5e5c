import { storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';

interface Setting {
  readonly pragma: string;
  readonly value: string;
  readonly reads: unknown;
  /** How the host can fix it if SQLite ignores the setting. */
  readonly fix: string;
}

/** In milliseconds. Short, because the event loop is blocked while SQLite waits. Longer waits use a timer. */
const BUSY_TIMEOUT_MS = 10;

const WAL: Setting = {
  pragma: 'journal_mode',
  value: 'wal',
  reads: 'wal',
  fix: 'Put the file on a local file system: the write-ahead log needs shared memory.',
};

const FOREIGN_KEYS: Setting = {
  pragma: 'foreign_keys',
  value: 'on',
  reads: 1,
  fix: 'Use a build of SQLite that supports foreign keys.',
};

const BUSY_TIMEOUT: Setting = {
  pragma: 'busy_timeout',
  value: String(BUSY_TIMEOUT_MS),
  reads: BUSY_TIMEOUT_MS,
  fix: 'Use a build of SQLite that supports a busy timeout.',
};

/** Makes commits wait for the disk. With a write-ahead log, better-sqlite3 would otherwise use NORMAL. */
const FULL: Setting = {
  pragma: 'synchronous',
  value: 'full',
  reads: 2,
  fix: 'Use a build of better-sqlite3 that allows `pragma synchronous = full`.',
};

/** Lets commits not wait for the disk. A power failure may lose the last ones. */
const NORMAL: Setting = { ...FULL, value: 'normal', reads: 1 };

export const DURABILITY = { full: FULL, normal: NORMAL } as const;

export type Durability = keyof typeof DURABILITY;

/**
 * Copies the write-ahead log into the file after about 80 MB, twenty times the default, so that often changed
 * pages are copied less often.
 */
const RARE_CHECKPOINTS: Setting = {
  pragma: 'wal_autocheckpoint',
  value: '20000',
  reads: 20_000,
  fix: 'Use a build of SQLite that allows `pragma wal_autocheckpoint`.',
};

/** Overwrites deleted values, so that erased personal data does not stay in the file. */
export const SECURE_DELETE: Setting = {
  pragma: 'secure_delete',
  value: 'on',
  reads: 1,
  fix: 'Use a build of better-sqlite3 that allows `pragma secure_delete = on`.',
};

export const SETTINGS = {
  writer: [BUSY_TIMEOUT, WAL, FULL, FOREIGN_KEYS, RARE_CHECKPOINTS, SECURE_DELETE],
  reader: [BUSY_TIMEOUT],
} as const satisfies Record<string, readonly Setting[]>;

/** The first SQLite version with strict tables. */
const OLDEST_VERSION = 3_037_000;

/** @throws OperatorError `MISCONFIGURED` if SQLite is too old. */
export function checkVersion(handle: Pick<Database, 'prepare'>): void {
  const version = handle.prepare('select sqlite_version()').pluck().get();
  const [major = 0, minor = 0, patch = 0] = String(version).split('.').map(Number);
  if (major * 1_000_000 + minor * 1_000 + patch >= OLDEST_VERSION) return;
  throw storageMisconfiguration(
    `SQLite ${String(version)} is too old: the storage needs 3.37 or newer. Upgrade better-sqlite3 to 12.5 or newer.`,
  );
}

/** Applies the settings, and reads them back because SQLite ignores some. Throws `MISCONFIGURED` with the fix. */
export function applySettings(handle: Pick<Database, 'pragma'>, settings: readonly Setting[]): void {
  for (const { pragma, value, reads, fix } of settings) {
    handle.pragma(`${pragma} = ${value}`);
    const found: unknown = handle.pragma(pragma, { simple: true });
    // The host's handle may return bigints by default.
    const held = typeof found === 'bigint' ? Number(found) : found;
    if (held === reads) continue;
    throw storageMisconfiguration(
      `SQLite reports ${String(held)} for \`pragma ${pragma}\` after it was set to ${value}. ${fix}`,
    );
  }
}
