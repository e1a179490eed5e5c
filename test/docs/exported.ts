import type { PartnerHiring } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Exports, Page } from './tell.js';

/** Returns a program's export. The caller names its type; `programs.test.ts` type-checks the programs. */
export function exported<Value>(exports: Exports, name: string): Value {
  if (!(name in exports)) throw new Error(`The program does not export ${name}.`);
  return exports[name] as Value;
}

/** Returns the partner API that a page's program exports. It is closed after the test. */
export async function partnerHiringOf<HostTx = Database>(
  page: Page,
  file = 'partner-hiring.ts',
): Promise<PartnerHiring<HostTx>> {
  const partnerHiring = exported<PartnerHiring<HostTx>>(await page.load(file), 'partnerHiring');
  onTestFinished(() => partnerHiring.close());
  return partnerHiring;
}
