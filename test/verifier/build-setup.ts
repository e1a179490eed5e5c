import { buildPackage } from './build-package.js';

/** Builds the package before the tests. With `OUTSIDE_BUILT=yes`, they use what is built already. */
export function setup(): void {
  if (process.env.OUTSIDE_BUILT !== 'yes') buildPackage();
}
