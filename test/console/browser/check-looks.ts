import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { axe } from '../../tools/browser/axe.js';
import type { Page } from '../../tools/browser/chromium.js';

/** `CONSOLE_PICTURES=<folder>` keeps a picture of each page. */
const PICTURES = process.env.CONSOLE_PICTURES ?? null;

interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

const LOOKS: readonly Look[] = [390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

async function findingsOf(page: Page): Promise<readonly string[]> {
  const violations = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)",
  )) as readonly Finding[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}

/** Only regions that scroll may be wider than the screen. */
const TOO_WIDE = `document.documentElement.scrollWidth > document.documentElement.clientWidth
  ? [...document.querySelectorAll('body *')]
      .filter((one) => one.closest('.scroll') === null || one.matches('.scroll'))
      .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .map((one) => one.outerHTML.slice(0, 100))
  : []`;

/** The tables that scroll sideways. */
const SIDEWAYS = `[...document.querySelectorAll('.scroll:has(> table)')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.getAttribute('aria-label'))`;

/** The buttons of a row that overlap in height but do not end on one line. */
const UNEVEN = `[...document.querySelectorAll('.actions, .buttons, .inline')].flatMap((row) => {
  const boxes = [...row.querySelectorAll('button[type=submit]')]
    .map((button) => ({ text: button.textContent, box: button.getBoundingClientRect() }))
    .filter(({ box }) => box.height > 0);
  return boxes.flatMap(({ text, box }, index) =>
    boxes.slice(index + 1)
      .filter((other) => other.box.top < box.bottom && other.box.bottom > box.top)
      .filter((other) => Math.abs(other.box.bottom - box.bottom) > 1)
      .map((other) => text + ' / ' + other.text));
})`;

/** The paths and names that break within a word. A secret has no words. */
const BROKEN = `[...document.querySelectorAll('code:not(.secret *)')].filter((code) => code.checkVisibility()).flatMap((code) => {
  const texts = [...code.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  const words = texts.flatMap((text) =>
    [...text.data.matchAll(/[^\\s-]+/g)].map((word) => {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      return [word[0], range.getClientRects().length];
    }));
  return words.filter(([, lines]) => lines > 1).map(([word]) => word);
})`;

/** Fails for a serious finding of axe, and if something is cut off or uneven, in light and dark, on a phone and a desk. */
export async function checkLooks(page: Page, name: string): Promise<void> {
  // As text, so that the page's policy does not apply.
  await page.evaluate(axe.source);
  for (const look of LOOKS) await check(page, name, look);
}

async function check(page: Page, name: string, { width, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  await page.emulateMedia({ colorScheme });
  if (PICTURES !== null) {
    mkdirSync(PICTURES, { recursive: true });
    const file = `${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)}-${width}-${colorScheme}.png`;
    await page.screenshot({ path: join(PICTURES, file), fullPage: true });
  }
  const look = `${name} at ${width} pixels in ${colorScheme}`;
  expect(await findingsOf(page), look).toEqual([]);
  expect(await page.evaluate(TOO_WIDE), look).toEqual([]);
  expect(await page.evaluate(SIDEWAYS), look).toEqual([]);
  expect(await page.evaluate(UNEVEN), look).toEqual([]);
  expect(await page.evaluate(BROKEN), look).toEqual([]);
}
