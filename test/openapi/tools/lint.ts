/** Lints docs/openapi.json: `npm run lint:openapi`. Warnings count as errors. */
import { formatProblems, getTotals } from '@redocly/openapi-core';
import { DOCUMENT_FILE } from '../document-file.js';
import { lintDocument } from './lint-document.js';

const problems = [...(await lintDocument(DOCUMENT_FILE))];
formatProblems(problems, { totals: getTotals(problems), format: 'codeframe' });
if (problems.length > 0) process.exitCode = 1;
else console.log('docs/openapi.json: no problems.');
