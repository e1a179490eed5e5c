import { buildPackage } from './build-package.js';

/** Before the tests of the verifier: they run on what is published. */
export function setup(): void {
  buildPackage();
}
