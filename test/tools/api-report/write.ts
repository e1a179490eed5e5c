/** Writes the report of each published package: `npm run api-report`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPublicSurface, publishedPackages } from '../../architecture/published.js';
import { ROOT } from '../../architecture/sources.js';
import { apiReport, reportFileOf } from './api-report.js';
import { commandRights } from './command-rights.js';

const surface = openPublicSurface();
const rights = commandRights(surface);
for (const published of publishedPackages()) {
  writeFileSync(join(ROOT, reportFileOf(published)), apiReport(published, surface, rights));
  console.log(reportFileOf(published));
}
