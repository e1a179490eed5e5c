/** The partner API on Fastify and a SQLite file of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { openApi } from './open-api.js';

const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await openApi(await createSqliteStorage({ file: join(folder, 'bench.sqlite') }));
