import { createRequire } from 'node:module';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';

/** What a storage exports of its migrations, as a bundler puts it into a CommonJS file of the host's. */
function bundled(file: string): Record<string, () => unknown> {
  const options = {
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  } as const;
  const [{ text } = { text: '' }] = buildSync({ ...options, entryPoints: [file] }).outputFiles;
  const module = { exports: {} };
  new Function('module', 'exports', 'require', text)(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}

it.each([
  ['@partner-hiring/sqlite', 'packages/sqlite/src/migrations.ts', 'sqliteMigrations'],
  ['@partner-hiring/postgres', 'packages/postgres/src/migrations.ts', 'postgresMigrations'],
] as const)(
  '%s in a CommonJS bundle, where code knows no place of its own, names the fix',
  (name, file, read) => {
    const message = expect.stringContaining(`--external:${name}`);
    expect(bundled(file)[read]).toThrow(expect.objectContaining({ code: 'MISCONFIGURED', message }));
  },
);
