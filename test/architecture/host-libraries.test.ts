import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compile } from '../docs/compile.js';
import { ROOT } from './sources.js';

const FILE = 'host-libraries.typecheck.ts';

test('hosts without `exactOptionalPropertyTypes` get the type of their library in the inbox', {
  timeout: 120_000,
}, () => {
  const layOut = (folder: string) => {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(join(ROOT, 'test/architecture', FILE), join(folder, FILE));
  };
  expect(compile(layOut, { exactOptionalPropertyTypes: false })).toEqual({ count: 1, problems: '' });
});
