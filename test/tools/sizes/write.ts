/**
 * Writes the lower figures of folders that have become smaller: `npm run sizes`. It raises none, because larger ones are
 * signed by hand.
 */
import { writeFileSync } from 'node:fs';
import { lowered, measureSizes, readSizes, SIZES_FILE } from './sizes.js';

writeFileSync(SIZES_FILE, `${JSON.stringify(lowered(measureSizes(), readSizes()), null, 2)}\n`);
