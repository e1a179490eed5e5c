import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { type Connection, createConnection } from './connection.js';
import { openHandle } from './driver-version.js';
import { assertPlainPath, createFileCheck, fileOf } from './file-identity.js';
import { warnIfShared } from './mounts.js';
import { createPrivateFile, warnIfOpenToOthers } from './private-file.js';
import { applySettings, checkVersion, SETTINGS } from './settings.js';
import { createWriter, type Writer } from './transaction.js';

export interface Connections {
  /** The only connection that writes. With a single writer, SQLite can keep its page cache. */
  readonly writer: Writer;
  /** Reads only committed data, even while the writer is in a transaction. */
  readonly reader: Connection;
  /** @throws StorageUnavailable if the database file or its write-ahead log was deleted, moved or replaced. */
  assertInPlace(): void;
  close(): void;
}

/** Creates the file, but not its folder. Throws `StorageUnavailable` if it cannot be created. */
export function openConnections(file: string): Connections {
  const handles: Database[] = [];
  const close = () => {
    for (const handle of handles.toReversed()) handle.close();
  };

  function open(role: keyof typeof SETTINGS): Database {
    const handle = openHandle(file, { readonly: role === 'reader' });
    handles.push(handle);
    checkVersion(handle);
    applySettings(handle, SETTINGS[role]);
    return handle;
  }

  createPrivateFile(file);
  try {
    const writer = createWriter(open('writer'));
    const reader = createConnection(open('reader'));
    // The first read creates the `-wal` and `-shm` files.
    reader.handle.prepare('select 1 from sqlite_schema').get();
    const found = fileOf(writer.handle);
    warnIfOpenToOthers(found);
    warnIfShared(found);
    return { writer, reader, assertInPlace: createFileCheck(file, found), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Rejects a path that several connections cannot share, with `MISCONFIGURED`. */
export function checkFile(file: string): void {
  if (typeof file !== 'string') {
    throw storageMisconfiguration('`file` must be the path of the database file, as text.');
  }
  if (file.trim() === '' || file.includes(':memory:')) {
    throw storageMisconfiguration(
      '`file` must be the path of a file. A database in memory is not durable, and other connections cannot read it. ' +
        "For tests, use a file in a temporary folder, e.g. join(mkdtempSync(join(tmpdir(), 'ph-')), 'test.db').",
    );
  }
  assertPlainPath(file);
  if (file.includes('\0')) {
    throw storageMisconfiguration('`file` contains a NUL character. Remove it.');
  }
  const path = resolve(file.trim());
  const folder = dirname(path);
  if (!existsSync(folder)) {
    throw storageMisconfiguration(`The folder ${folder} does not exist. Create it first.`);
  }
  if (!statSync(folder).isDirectory()) {
    throw storageMisconfiguration(`${folder} is not a folder. Put the database file in a folder.`);
  }
  if (existsSync(path)) checkExisting(path);
}

function checkExisting(path: string): void {
  const stat = statSync(path);
  if (stat.isDirectory()) {
    throw storageMisconfiguration(
      `${path} is a folder. Name a file in it, e.g. ${join(path, 'partner-hiring.sqlite')}.`,
    );
  }
  if (stat.nlink > 1) {
    throw storageMisconfiguration(
      `${path} has ${stat.nlink} hard links. ` +
        'SQLite keeps a separate log for each path, so a process that opens another path corrupts the database. ' +
        `Find them with \`find / -samefile '${path}'\`. ` +
        'While no process has the file open, keep one link and remove the others or replace them with symbolic links.',
    );
  }
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    // SQLite would open the file anyway, and create other files beside it.
    throw storageMisconfiguration(
      `${path} is not writable (${String(error)}), so partners would get 503 for every request. ` +
        "Let this process's user write the file, or use another file.",
      { cause: error },
    );
  }
}
