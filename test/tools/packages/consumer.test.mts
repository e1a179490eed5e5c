/** Runs both conformance suites on the tarballs. `project.ts` copies this program and the suites. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partnerHiringExpress } from '@partner-hiring/express';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Sqlite, { type Database } from 'better-sqlite3';
import express from 'express';
import {
  describeHttp,
  describeStorage,
  type Served,
  type ServedApi,
  type StorageUnderTest,
} from '../../conformance/suite/index.js';

async function openStorage(): Promise<StorageUnderTest<Database>> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-consumer-'));
  const file = join(folder, 'test.sqlite');
  const another = () => createSqliteStorage({ file });
  const storage = await another();
  return {
    storage,
    another,
    inHostTransaction: async (end, work) => {
      const host = new Sqlite(file);
      try {
        host.exec('begin immediate');
        const result = await work(host);
        host.exec(end);
        return result;
      } finally {
        host.close();
      }
    },
    close: async () => {
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function serve(api: ServedApi): Promise<Served> {
  const server = express().use(partnerHiringExpress(api)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describeStorage('SQLite', openStorage);
describeHttp('Express', { openStorage, serve });
