import { misconfiguration } from '../../errors.js';

type Undici = typeof import('undici');

let loaded: Undici | null = null;

/**
 * Loads undici before the first request goes out. It takes as long to load as a third of core, and a start does not need
 * it.
 */
export async function loadUndici(): Promise<void> {
  loaded ??= await import('undici');
}

export function isUndiciLoaded(): boolean {
  return loaded !== null;
}

export function loadedUndici(): Undici {
  if (loaded === null) throw new Error('Call loadUndici first.');
  return loaded;
}

/** Bun replaces undici with its own module, which lacks `dispatch`. @throws OperatorError `MISCONFIGURED` */
export function assertUndici(
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): void {
  if (versions.bun === undefined) return;
  throw misconfiguration(
    'Webhooks and résumés need undici, which this runtime replaces with its own module, as Bun does. Run the worker in ' +
      'a Node.js process on the same database. The API itself runs here.',
  );
}
