import { createPartnerDocs, type PartnerDocs, sandboxPage } from '@partner-hiring/partner-docs';
import type { TestResult } from '../../verifier/suite/suite.js';
import type { Browser, Page } from './chromium.js';

/** Widths of a small phone, a usual one, a tablet and a screen, in CSS pixels. */
const WIDTHS = [320, 390, 768, 1280] as const;

/** A secure origin, because browsers have a clipboard only there. Nothing answers at it. */
const ORIGIN = 'https://hiring.example.com';

/** As text, so that nothing of this process is compiled in. Only code blocks may scroll. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((one) => one.closest('pre') === null || one.matches('pre'))
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth
    || (!one.matches('pre') && one.scrollWidth > one.clientWidth && one.clientWidth > 0))
  .map((one) => one.outerHTML.slice(0, 80))`;

const IS_STYLED = "getComputedStyle(document.querySelector('main')).minWidth === '0px'";

/** Checks that no part of a page is cut off or needs scrolling to the side, and that code is copied. */
export async function checkPartnerPages(browser: Browser): Promise<readonly TestResult[]> {
  const docs = createPartnerDocs({ origin: ORIGIN, sandbox: true });
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  try {
    await serve(page, docs);
    const results: TestResult[] = [];
    for (const { path, html } of [...docs.pages, standaloneSandbox()]) {
      if (html === undefined) continue;
      await page.goto(`${ORIGIN}/${path}`);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        results.push({ name: `${path} fits ${width} pixels`, error: await faultOf(page) });
      }
    }
    results.push({ name: 'a button copies the code beside it', error: await copyFaultOf(page) });
    return results;
  } finally {
    await context.close();
  }
}

/** Serves each page, with its headers, in place of the network. */
async function serve(page: Page, { pages }: PartnerDocs): Promise<void> {
  await page.route('**/*', (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    const html = [...pages, standaloneSandbox()].find((one) => one.path === path)?.html;
    return html === undefined
      ? route.abort()
      : route.fulfill({ status: 200, headers: { ...html.headers }, body: html.text });
  });
}

function standaloneSandbox() {
  const text = sandboxPage({
    baseUrl: `${ORIGIN}/api/v1/external`,
    apiKey: `pek_test_${'a'.repeat(40)}`,
    docsUrl: `${ORIGIN}/partner-docs`,
  });
  return { path: 'sandbox-with-key', html: { text, headers: { 'Content-Type': 'text/html' } } };
}

async function faultOf(page: Page): Promise<string | null> {
  if (!(await page.evaluate(IS_STYLED))) return 'Its content security policy blocks its style.';
  const tooWide = (await page.evaluate(TOO_WIDE)) as readonly string[];
  return tooWide.length === 0 ? null : `too wide: ${tooWide.join('\n      ')}`;
}

async function copyFaultOf(page: Page): Promise<string | null> {
  await page.locator('.fence button').first().click();
  await page.locator('.fence button', { hasText: 'Copied' }).first().waitFor();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  const shown = await page.locator('.fence code').first().textContent();
  return copied === shown ? null : `copied ${String(copied)}`;
}
