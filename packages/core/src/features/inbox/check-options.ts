import { checkOptionNames, MAKER, type OptionNames } from '../../defaults/option-checks.js';
import { misconfiguration } from '../../errors.js';
import type { InboxInHost } from './options.js';

const INBOX: OptionNames<InboxInHost<never>> = { receive: true, transaction: true, changes: true };

/** Checks the option `inbox`. @throws OperatorError `MISCONFIGURED` */
export function checkInbox(inbox: unknown): void {
  if (inbox === undefined) return;
  checkOptionNames(MAKER, inbox as object, INBOX, 'inbox');
  const { transaction } = inbox as { readonly transaction?: unknown };
  if (transaction === undefined || typeof transaction === 'function') return;
  throw misconfiguration(
    '`inbox.transaction` must be a function that opens a transaction and awaits `run(tx)` in it. Omit it to let the storage ' +
      'open the transaction.',
  );
}
