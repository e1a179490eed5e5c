/** What `npm run pack` says a stack needs, and what the README says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installLine, resolveStack } from '../tools/build/install-line.js';
import { ROOT } from './sources.js';

const SQLITE = 'better-sqlite3@^12.5.0 || ^13.0.0';

test.each([
  [
    'express postgres drizzle console cli',
    'cli console core express postgres',
    ['express@^4.19.2 || ^5.0.0', 'pg@^8.11.0', 'drizzle-orm'],
  ],
  ['node sqlite', 'core node sqlite', [SQLITE]],
  ['fastify sqlite', 'core fastify sqlite', ['fastify@^5.0.0', SQLITE]],
  [
    'nest fastify sqlite',
    'core nest sqlite',
    [
      expect.stringMatching(/^@nestjs\/common@/),
      expect.stringMatching(/^@nestjs\/core@/),
      SQLITE,
      '@nestjs/platform-fastify',
    ],
  ],
  ['postgres prisma', 'core postgres', ['pg@^8.11.0', 'prisma', '@prisma/client', '@prisma/adapter-pg']],
  ['client certify', 'certify client webhook-verifier', []],
])('the stack "%s" needs %s', (words, packages, libraries) => {
  expect(resolveStack(words.split(' '))).toEqual({ packages: packages.split(' '), libraries });
});

test('the command names the tarballs, and quotes what a shell would take apart', () => {
  expect(installLine({ packages: ['core'], libraries: [SQLITE, 'pg@^8.11.0'] }, '/my packages')).toMatch(
    /^npm install '\/my packages\/partner-hiring-core-[\d.]+\.tgz' 'better-sqlite3@\^12\.5\.0 \|\| \^13\.0\.0' 'pg@\^8\.11\.0'$/,
  );
});

test('refuses unknown words and a host without a storage, and names the fix', () => {
  expect(() => resolveStack(['expres'])).toThrow('"expres" is not part of a stack. Choose from: certify,');
  expect(() => resolveStack(['express', 'drizzle'])).toThrow('Add sqlite or postgres.');
});

test('the README says which packages a stack needs', () => {
  const rows = [
    ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^\| [^|]+ \| `([a-z -]+)` \| ([^|]+) \|$/gm),
  ];
  expect(rows.length).toBeGreaterThan(3);
  for (const [, words = '', listed = ''] of rows) {
    const named = [...listed.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
    expect([words, named.sort()]).toEqual([words, [...resolveStack(words.split(' ')).packages]]);
  }
});
