/** Writes docs/openapi.json from the schemas: `npm run openapi`. */
import { writeFileSync } from 'node:fs';
import { DOCUMENT_FILE, documentText } from './document-file.js';

writeFileSync(DOCUMENT_FILE, documentText());
