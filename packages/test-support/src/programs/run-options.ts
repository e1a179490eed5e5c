import { fileURLToPath } from 'node:url';

/** Node options that run a program of the project, five times as fast as tsx. */
export const RUN_BUNDLED: readonly string[] = [
  // Node 20 lacks the replacement for `register` that Node 26 recommends.
  '--disable-warning=DEP0205',
  '--import',
  fileURLToPath(new URL('register.mjs', import.meta.url)),
];

/** The options of `npm run`. */
export const RUN_AS_NPM_DOES: readonly string[] = ['--import', 'tsx'];
