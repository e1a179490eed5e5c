/** What published declarations may import. `npm run check:packages` checks those of each package. */
import { expect, test } from 'vitest';
import { foreignImports } from '../tools/packages/check-declarations.js';

const MANIFEST = {
  name: '@partner-hiring/made-up',
  version: '1.2.3',
  dependencies: { zod: '^4.0.0', '@types/pg': '^8.0.0' },
  peerDependencies: { '@partner-hiring/core': '1.2.3' },
};

test.each([
  ["import { Storage } from '@partner-hiring/core/ports';", []],
  ["import { Pool } from 'pg';\nimport { Server } from 'node:http';\nexport { a } from './shared.cjs';", []],
  ["import { Queries } from '@partner-hiring/storage-kysely';", ['@partner-hiring/storage-kysely']],
  ["import { z } from 'zod';", ['zod']],
  ["declare const a: import('zod/v4').ZodType;", ['zod/v4']],
  ["import 'fastify';", ['fastify']],
  ["/**\n * import { z } from 'zod';\n */\nexport {};", []],
])('finds what users do not have in: %s', (text, found) => {
  expect(foreignImports(text, MANIFEST)).toEqual(found);
});
