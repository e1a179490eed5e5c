/** The linter accepts the document, and would find mistakes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenApiDocument } from '@partner-hiring/partner-docs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { DOCUMENT_FILE } from '../document-file.js';
import { lintDocument } from './lint-document.js';

test('reports nothing, not even a warning', async () => {
  expect(await lintDocument(DOCUMENT_FILE)).toEqual([]);
});

test('reports an invalid document', async () => {
  const document = createOpenApiDocument();
  const { license: _, ...info } = document.info;
  const file = join(temporaryFolder(), 'openapi.json');
  const paths = { ...document.paths, '/jobs/': { get: { operationId: 'listJobs' } } };
  writeFileSync(file, JSON.stringify({ ...document, info, paths }));
  const found = (await lintDocument(file)).map(({ ruleId }) => ruleId);
  expect(found).toEqual(
    expect.arrayContaining([
      'info-license',
      'struct',
      'no-path-trailing-slash',
      'operation-operationId-unique',
    ]),
  );
});
