import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ROOT } from './sources.js';

test('hosts without `exactOptionalPropertyTypes` get the type of their library in the inbox', {
  timeout: 120_000,
}, () => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, ROOT);
  const file = join(ROOT, 'test/architecture/host-libraries.typecheck.ts');
  const program = ts.createProgram([file], { ...options, exactOptionalPropertyTypes: false });
  const problems = program.getSemanticDiagnostics(program.getSourceFile(file));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});
