import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compile } from '../../docs/compile.js';
import { layOutLibraries } from '../../docs/lay-out.js';
import { LIBRARIES } from './docs/libraries.js';

const FILE = 'host-libraries.typecheck.ts';

test('hosts without `exactOptionalPropertyTypes` get the type of their library in the inbox', {
  timeout: 120_000,
}, () => {
  const layOut = (folder: string) => {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const page = layOutLibraries(folder, LIBRARIES);
    copyFileSync(fileURLToPath(new URL(FILE, import.meta.url)), join(page, FILE));
  };
  expect(compile(layOut, { exactOptionalPropertyTypes: false })).toEqual({ count: 1, problems: '' });
});
