/** The partner API on Fastify and a SQLite file, in a folder of its own unless it is given one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { openApi } from './open-api.js';

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await openApi(await createSqliteStorage({ file: join(folder, 'bench.sqlite') }));
