import { defineConfig } from 'vitest/config';
import { alias, common } from '../../vitest.config.js';

/** Runs the tests of an adapter outside the repository: `npm run conformance -- ../my-adapter`. */
export default defineConfig({ resolve: { alias }, test: common });
