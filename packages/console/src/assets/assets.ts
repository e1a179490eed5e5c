import { createHash } from 'node:crypto';
import { ASSET_TEXTS } from './asset-texts.js';

/** A file that pages load. Its name changes with its content. */
export interface ConsoleAsset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Makes a file whose name changes with its content. */
export function createAsset(stem: string, extension: string, type: string, text: string): ConsoleAsset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  return { name: `${stem}-${hash}.${extension}`, type: `${type}; charset=utf-8`, text };
}

/** The style sheet and the script of all pages. */
export const CONSOLE_ASSETS = {
  style: createAsset('console', 'css', 'text/css', ASSET_TEXTS.style),
  script: createAsset('console', 'js', 'text/javascript', ASSET_TEXTS.script),
} as const;

/** Returns the asset of a name, or null. */
export function findAsset(name: string): ConsoleAsset | null {
  return Object.values(CONSOLE_ASSETS).find((one) => one.name === name) ?? null;
}
