import { fileURLToPath } from 'node:url';

/** The folder of the libraries that only these tests have. Pages and examples import from it before the workspace's. */
export const LIBRARIES = fileURLToPath(new URL('../node_modules', import.meta.url));
