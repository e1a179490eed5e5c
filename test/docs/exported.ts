import type { PartnerHiring } from '@partner-hiring/core';
import type { Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Exports, Page } from './tell.js';

/** What a program exports under that name. The programs are type-checked apart; here the story says what it takes. */
export function exported<Value>(exports: Exports, name: string): Value {
  if (!(name in exports)) throw new Error(`The program exports no ${name}.`);
  return exports[name] as Value;
}

/** The partner API that a page's programs have put together. It is closed when the test is over. */
export async function partnerHiringOf<HostTx = Database>(
  page: Page,
  file = 'partner-hiring.ts',
): Promise<PartnerHiring<HostTx>> {
  const partnerHiring = exported<PartnerHiring<HostTx>>(await page.load(file), 'partnerHiring');
  onTestFinished(() => partnerHiring.close());
  return partnerHiring;
}
