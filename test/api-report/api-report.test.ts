import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPublicSurface, publishedPackages } from '../architecture/published.js';
import { ROOT } from '../architecture/sources.js';
import { apiReport, reportFileOf } from './api-report.js';

const surface = openPublicSurface();

test.each(publishedPackages())(
  'the report of $name shows its public API; if not, run `npm run api-report`',
  (published) => {
    expect(readFileSync(join(ROOT, reportFileOf(published)), 'utf8')).toBe(apiReport(published, surface));
  },
);
