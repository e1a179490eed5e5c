/**
 * Runs `@partner-hiring/testing` from its tarball in every supported test runner, on SQLite and PostgreSQL, in projects outside
 * the repository, and the errors of the packages for partners. Build the packages first.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@partner-hiring/test-support/postgres/server';
import { root } from '../manifest.js';
import { pack } from '../pack.js';
import { install } from '../project.js';
import { layOut, RUNNERS } from './runners.js';

const PACKAGES = ['core', 'sqlite', 'postgres', 'testing', 'webhook-verifier', 'client', 'certify'];

const LIBRARIES = [
  'pg@8',
  'vitest@4',
  'jest@30',
  'ts-jest@29',
  '@swc/jest@0.2',
  '@swc/core@1',
  'typescript@5.9',
];

const scratch = mkdtempSync(join(tmpdir(), 'partner-hiring-testing-'));
const postgres = await startPostgres();
try {
  const tarballs: string[] = [];
  for (const name of PACKAGES) tarballs.push(await pack(join(root, 'packages', name), scratch));
  await install(scratch, { libraries: LIBRARIES, buildsSqlite: false }, tarballs);
  for (const runner of RUNNERS) {
    const started = performance.now();
    const folder = layOut(scratch, runner);
    const passed = await runner.run(folder, { DATABASE_URL: postgres.url });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`ok  ${runner.name}: ${passed} tests in ${seconds} s`);
  }
} finally {
  await postgres.stop();
  rmSync(scratch, { recursive: true, force: true });
}
