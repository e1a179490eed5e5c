/**
 * Runs the verifier's suite in headless Chromium on the built files, and checks the pages for partners: `npm run test:browser`.
 * `--outputFile=counts.json` writes how many passed.
 */
import { parseArgs } from 'node:util';
import { startChromium } from '../../tools/browser/chromium.js';
import { checkPartnerPages } from '../../tools/browser/partner-pages.js';
import { buildPackage, PACKAGE } from '../build-package.js';
import type { TestResult } from '../suite/suite.js';
import { bundleSuite } from './bundle-suite.js';
import { servePage } from './page-server.js';
import { type Counts, finish, report } from './report.js';

const PORTABLE = { index: '/dist/portable/index.js', fetch: '/dist/portable/fetch/index.js' };
/** The suite takes a second. After this time the browser is closed. */
const SUITE_MS = 120_000;

async function run(counts: Counts): Promise<void> {
  const browser = await startChromium();
  const overdue = setTimeout(() => browser.close(), SUITE_MS);
  try {
    buildPackage();
    const server = await servePage(await bundleSuite(PORTABLE, '', { external: ['/dist/*'] }), PACKAGE);
    try {
      const page = await browser.newPage();
      await page.goto(server.url);
      // As text, so that nothing of this process is compiled in.
      const results = await page.evaluate("import('/suite.js').then((suite) => suite.run())");
      report(`Chromium ${browser.version()}`, results as readonly TestResult[], counts);
      report('the pages for partners', await checkPartnerPages(browser), counts);
    } finally {
      server.close();
    }
  } finally {
    clearTimeout(overdue);
    await browser.close();
  }
}

const { values } = parseArgs({ options: { outputFile: { type: 'string' } } });
const counts: Counts = { numPassedTests: 0, numFailedTests: 0 };
try {
  await run(counts);
  finish(counts, values.outputFile);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
