/** Writes packages/webhook-verifier/vectors.json: `npm run vectors`. */
import { writeFileSync } from 'node:fs';
import { VECTORS_FILE, vectorsText } from './vectors-file.js';

writeFileSync(VECTORS_FILE, vectorsText());
