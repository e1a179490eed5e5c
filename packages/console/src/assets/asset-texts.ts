import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const here = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Each works on its own. */
const SCRIPTS = [
  './live.js',
  './times.js',
  './copy.js',
  './filters.js',
  './scroll.js',
  './slow.js',
  './keys.js',
  './chooser.js',
];

/**
 * The style sheet, and the script of all pages. The build replaces this file by one that contains both texts: see `tsup.config.ts`.
 */
export const ASSET_TEXTS = {
  style: `${readFileSync(resolve('@picocss/pico/css/pico.slate.min.css'), 'utf8')}\n${here('./console.css')}`,
  script: SCRIPTS.map(here).join('\n'),
} as const;
