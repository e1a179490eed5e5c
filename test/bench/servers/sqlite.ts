/**
 * The partner API on Fastify and SQLite as a host would run it: durable, authenticated, limited. Only the
 * limits themselves are raised, so that counting goes on without refusing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPartnerHiring } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Fastify from 'fastify';
import { announcePort } from './announce-port.js';
import { seedBenchmark } from './seed.js';

const UNREACHED = 1_000_000_000;
const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('disconnect', () => process.exit());

const partnerHiring = createPartnerHiring({
  storage: await createSqliteStorage({ file: join(folder, 'bench.sqlite') }),
  secretKey: new Uint8Array(32),
  limits: {
    submit_application: UNREACHED,
    read_application: UNREACHED,
    list_applications: UNREACHED,
    list_jobs: UNREACHED,
  },
});
const app = Fastify();
await app.register(partnerHiringFastify(partnerHiring));
await app.listen({ port: 0, host: '127.0.0.1' });
announcePort(app.server, { partners: await seedBenchmark(partnerHiring) });
