/** Writes docs/openapi.json and docs/postman_collection.json from the schemas: `npm run openapi`. */
import { writeFileSync } from 'node:fs';
import { COLLECTION_FILE, collectionText, DOCUMENT_FILE, documentText } from './document-file.js';

writeFileSync(DOCUMENT_FILE, documentText());
writeFileSync(COLLECTION_FILE, collectionText());
