import type { AuditFields } from '../../domain/audit.js';
import type { PartnerId } from '../../domain/ids.js';
import { OperatorError } from '../../errors.js';
import type { KeyToIssue, Scope } from '../../operator/scope.js';
import type { ReadinessRow } from './checklist.js';
import { readChecklist } from './commands.js';
import { textsOf } from './rules.js';

type OpenItem = Pick<ReadinessRow, 'item' | 'title' | 'reason' | 'how'>;

/** A partner has one key per environment. */
const KEYS_OF_A_PARTNER = 2;
const NO_SANDBOX = 'The partner has no sandbox key.';

/**
 * Checks what a production key needs. With an override, returns the open items for the audit.
 * @throws OperatorError `NOT_READY`
 */
export async function checkRequirements(
  scope: Scope,
  { partnerId, environment, override }: KeyToIssue,
): Promise<AuditFields> {
  const open = environment === 'production' ? await openRequirements(scope, partnerId) : [];
  if (override !== undefined) return { open: open.map(({ item }) => item) };
  assertReady(partnerId, open);
  return {};
}

/** Returns the items of `goLive.required` that the sandbox key of the partner lacks. */
async function openRequirements(
  { tx, goLive: { required } }: Scope,
  partnerId: PartnerId,
): Promise<readonly OpenItem[]> {
  if (required.length === 0) return [];
  const keys = await tx.keys.list(partnerId, { after: null, limit: KEYS_OF_A_PARTNER });
  const sandbox = keys.find(({ environment }) => environment === 'sandbox');
  if (sandbox !== undefined) {
    return (await readChecklist(tx, sandbox, required)).missing;
  }
  return required.map((item) => ({ item, ...textsOf(item), reason: NO_SANDBOX }));
}

/** @throws OperatorError `NOT_READY` that lists the items with how to get each. */
function assertReady(partnerId: PartnerId, open: readonly OpenItem[]): void {
  if (open.length === 0) return;
  const lines = open.map(({ item, title, reason, how }) => `- ${item}: ${title}. ${reason} ${how}`);
  throw new OperatorError(
    'NOT_READY',
    `Partner ${partnerId} has not proved these items of goLive.required with its sandbox key:\n${lines.join('\n')}\n` +
      'To issue the key anyway, give an override with a reason. Nothing was changed.',
  );
}
