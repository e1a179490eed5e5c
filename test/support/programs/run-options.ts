import { fileURLToPath } from 'node:url';

/** The Node options that run a program of the project. With them, it starts five times as fast as with tsx. */
export const RUN_BUNDLED: readonly string[] = [
  // This hides a warning: Node 26 deprecates `register`, but Node 20 lacks its replacement.
  '--disable-warning=DEP0205',
  '--import',
  fileURLToPath(new URL('register.mjs', import.meta.url)),
];

/** The Node options with which `npm run` starts a program. */
export const RUN_AS_NPM_DOES: readonly string[] = ['--import', 'tsx'];
