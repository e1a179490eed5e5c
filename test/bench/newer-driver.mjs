/**
 * The workspace's better-sqlite3 is built for the Node that installed it. The benchmarks run on another one, so they use
 * version 13 of this folder, which has binaries for all versions: `node --import newer-driver.mjs`.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'better-sqlite3' ? { ...context, parentURL: import.meta.url } : context),
});
