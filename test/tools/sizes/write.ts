/**
 * Writes the lower figures of what has become smaller: `npm run sizes`. It raises none. Whoever lets the counts grow signs
 * that by `npm run sizes -- --sign`, and larger folders by hand.
 */
import { writeFileSync } from 'node:fs';
import { COUNTS_FILE, loweredCounts, measureCounts, readCounts } from './counts.js';
import { lowered, measureSizes, readSizes, SIZES_FILE } from './sizes.js';

const counts = measureCounts();
const isSigned = process.argv.includes('--sign');
write(SIZES_FILE, lowered(measureSizes(), readSizes()));
write(COUNTS_FILE, isSigned ? counts : loweredCounts(counts, readCounts()));

function write(file: string, signed: unknown): void {
  writeFileSync(file, `${JSON.stringify(signed, null, 2)}\n`);
}
