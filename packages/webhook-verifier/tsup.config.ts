import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { library } from '../../tsup.config.js';

const ENTRIES = {
  index: 'src/index.ts',
  'express/index': 'src/express/index.ts',
  'fastify/index': 'src/fastify/index.ts',
  'fetch/index': 'src/fetch/index.ts',
};

/** Replaces `hmac.ts` with `hmac.node.ts`, except in its fallback. */
const nodeHmac: Plugin = {
  name: 'node-hmac',
  setup({ onResolve }) {
    onResolve({ filter: /\/hmac\.js$/ }, ({ importer }) =>
      importer.endsWith('hmac.node.ts')
        ? undefined
        : { path: fileURLToPath(new URL('src/hmac.node.ts', import.meta.url)) },
    );
  },
};

const COMMON = { entry: ENTRIES, target: 'es2022', platform: 'neutral', shims: false } as const;

/** One build for every runtime, and one for the condition `node` with faster digests. */
export default [
  library({ ...COMMON, outDir: 'dist/portable' }),
  library({ ...COMMON, outDir: 'dist/node', esbuildPlugins: [nodeHmac] }),
];
