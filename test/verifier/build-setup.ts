import { buildPackage } from './build-package.js';

/** Builds the package before the tests. */
export function setup(): void {
  buildPackage();
}
