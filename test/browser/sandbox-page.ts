import { sandboxPage } from '@partner-hiring/partner-docs';
import type { TestResult } from '../verifier/suite/suite.js';
import type { Browser, Page } from './chromium.js';

/** Widths of a small phone, a usual one, a tablet and a screen, in CSS pixels. */
const WIDTHS = [320, 390, 768, 1280] as const;

/** As text, so that nothing of this process is compiled in. Only code blocks may scroll. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((one) => one.closest('pre') === null || one.matches('pre'))
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth
    || (!one.matches('pre') && one.scrollWidth > one.clientWidth && one.clientWidth > 0))
  .map((one) => one.outerHTML.slice(0, 80))`;

const IS_STYLED = "getComputedStyle(document.querySelector('pre')).paddingLeft !== '0px'";

/** Checks that no part of the sandbox page is cut off or needs scrolling to the side. */
export async function checkSandboxPage(browser: Browser): Promise<readonly TestResult[]> {
  const page = await browser.newPage();
  try {
    await page.setContent(
      sandboxPage({
        baseUrl: 'https://hiring.example.com/api/v1/external',
        apiKey: `pek_test_${'a'.repeat(40)}`,
      }),
    );
    const results: TestResult[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      results.push({ name: `the sandbox page fits ${width} pixels`, error: await faultOf(page) });
    }
    return results;
  } finally {
    await page.close();
  }
}

async function faultOf(page: Page): Promise<string | null> {
  if (!(await page.evaluate(IS_STYLED))) return 'Its content security policy blocks its style.';
  const tooWide = (await page.evaluate(TOO_WIDE)) as readonly string[];
  return tooWide.length === 0 ? null : `too wide: ${tooWide.join('\n      ')}`;
}
