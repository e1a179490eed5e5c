/**
 * Runs the suite of host transactions with all libraries, also with Prisma, whose client is generated first.
 * `npm run test:orms`, or `npm run test:orms -- --oldest` with the oldest supported versions.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TSC } from '../tools/compiler/compile-folder.js';
import { runCommand } from '../tools/matrix/run-command.js';
import { installProject, PRISMA_PROJECT } from '../tools/projects/projects.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PRISMA = fileURLToPath(new URL('prisma/', import.meta.url));
/** Versions of libraries that are not those of `orms`. `vitest.config.ts` uses them. */
const OTHERS = fileURLToPath(new URL('others/', import.meta.url));

/** The oldest versions that the adapters support. */
const OLDEST_LIBRARIES = {
  'drizzle-orm': '0.38.0',
  knex: '3.0.1',
  kysely: '0.28.18',
  postgres: '3.4.3',
  typeorm: '0.3.20',
};
/** `orms` has TypeORM 0.3, because 1.x does not support all versions of Node that contributors may use. */
const NEWEST_LIBRARIES = { typeorm: '^1.1.1' };
const OLDEST_PRISMA = '7.0.0';

/** Without scripts, because the ones of Prisma download an engine that the client does not need. */
const INSTALL = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];

const { values } = parseArgs({ options: { oldest: { type: 'boolean', default: false } } });
// Prisma's command wants an engine for migrations. Any file satisfies it, because `generate` never runs it.
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };

installProject('test/host-transactions/orms');
await rm(OTHERS, { recursive: true, force: true });
await mkdir(OTHERS);
const dependencies = values.oldest ? OLDEST_LIBRARIES : NEWEST_LIBRARIES;
const manifest = { name: 'other-libraries', private: true, dependencies };
await writeFile(join(OTHERS, 'package.json'), JSON.stringify(manifest));
await runCommand(OTHERS, env, 'npm', [...INSTALL, '--legacy-peer-deps']);
if (values.oldest) {
  const packages = ['prisma', '@prisma/client', '@prisma/adapter-pg', '@prisma/adapter-better-sqlite3'];
  const pinned = packages.map((name) => `${name}@${OLDEST_PRISMA}`);
  await rm(join(PRISMA, 'node_modules'), { recursive: true, force: true });
  await runCommand(PRISMA, env, 'npm', [...INSTALL, '--no-save', ...pinned]);
} else {
  installProject(PRISMA_PROJECT);
}
// The root's copy is built for this machine.
const own = join(PRISMA, 'node_modules/better-sqlite3');
if (existsSync(own)) await rm(own, { recursive: true });
for (const database of ['postgres', 'sqlite']) {
  await runCommand(PRISMA, env, 'npx', ['prisma', 'generate', '--schema', `${database}.prisma`]);
}
// The types of Prisma's client are part of what the adapters promise.
if (!values.oldest) await runCommand(ROOT, env, process.execPath, [TSC, '-p', PRISMA]);
await runCommand(ROOT, env, 'npx', ['vitest', 'run', '--config', 'test/host-transactions/vitest.config.ts']);
await rm(OTHERS, { recursive: true });
