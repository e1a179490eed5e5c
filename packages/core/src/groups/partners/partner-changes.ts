import type { AuditFields, AuditObject } from '../../domain/audit.js';
import { type PauseReason, pausedEndpoint, resumeEndpoint } from '../../domain/endpoint.js';
import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { Partner, PartnerContact } from '../../domain/partner-key.js';
import { OperatorError } from '../../errors.js';
import { describeMissing, lockKey } from '../../operator/find-or-throw.js';
import { changedFields, recordAct, type Scope } from '../../operator/scope.js';

/** A partner by its id. */
export interface PartnerTarget {
  readonly id: PartnerId;
}

/** New fields of a partner, at least one; omitted fields keep their value. */
export interface PartnerUpdate extends PartnerTarget {
  /** The new name, 1 to 500 characters; default: as it is. */
  readonly name?: string | undefined;
  /** The new contact, or null to clear it; default: as it is. */
  readonly contact?: PartnerContact | null | undefined;
  /**
   * Whether to disable the partner (true: from the next request on, its calls get 401, and its events are recorded and
   * wait) or to enable it (false: its calls work again, and what waits is sent, retries at their time); default: as it
   * is. An endpoint that was paused for another reason stays paused. Links and sessions of the portal end.
   */
  readonly disabled?: boolean | undefined;
}

/** The partner after a command. */
export interface PartnerOutcome {
  readonly partner: Partner;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** The partner after `remove`. */
export interface PartnerRemoval extends PartnerOutcome {
  /** How many secrets of its keys were revoked. */
  readonly revokedSecrets: number;
}

export function partnerNotFound(id: PartnerId): OperatorError {
  const message = `${describeMissing('partner', id)} Create the partner with partners.create.`;
  return new OperatorError('PARTNER_NOT_FOUND', message);
}

/** Locks the partner until the commit. Commands that change it or add a key to it run one at a time. */
async function lockPartner({ tx }: Scope, id: PartnerId): Promise<Partner> {
  const partner = await tx.partners.findForUpdate(id);
  if (partner === null) throw partnerNotFound(id);
  return partner;
}

/** @throws OperatorError `PARTNER_REMOVED` */
function assertNotRemoved({ id, removedAt }: Partner): void {
  if (removedAt === null) return;
  throw new OperatorError('PARTNER_REMOVED', `Partner ${id} was removed for good. Create another partner.`);
}

/** @throws OperatorError `PARTNER_DISABLED` or `PARTNER_REMOVED` */
function assertEnabled(partner: Partner): void {
  assertNotRemoved(partner);
  if (partner.disabledAt === null) return;
  throw new OperatorError(
    'PARTNER_DISABLED',
    `Partner ${partner.id} is disabled. Enable it, then try again.`,
  );
}

/** Locks a partner that may get a key. */
export async function lockEnabledPartner(scope: Scope, id: PartnerId): Promise<void> {
  assertEnabled(await lockPartner(scope, id));
}

/** Checks the partner of a key. Lock the key first: disabling a partner waits for it. */
export async function assertPartnerEnabled({ tx }: Scope, partnerId: PartnerId): Promise<void> {
  const partner = await tx.partners.find(partnerId);
  if (partner !== null) assertEnabled(partner);
}

/** Changes a partner. A removed partner can only be renamed. */
export async function updatePartner(
  scope: Scope,
  { id, name, contact: given, disabled }: PartnerUpdate,
): Promise<PartnerOutcome> {
  const partner = await lockPartner(scope, id);
  if (given !== undefined || disabled !== undefined) assertNotRemoved(partner);
  const contact = given && { name: given.name.trim(), email: given.email };
  const requested: Partner = {
    ...partner,
    name: name ?? partner.name,
    contact: contact === undefined ? partner.contact : contact,
  };
  const isMoved = disabled !== undefined && disabled !== (partner.disabledAt !== null);
  const moved = isMoved ? await moveTo(scope, requested, disabled) : { partner: requested, keyIds: [] };
  const { before, after } = fieldsOf(partner, moved.partner);
  if (Object.keys(after).length === 0) return { partner, changed: false };
  return save(scope, moved.partner, { before, after, keyIds: moved.keyIds });
}

async function moveTo(
  scope: Scope,
  partner: Partner,
  disabled: boolean,
): Promise<{ readonly partner: Partner; readonly keyIds: readonly KeyId[] }> {
  const { id } = partner;
  if (!disabled)
    return { partner: { ...partner, disabledAt: null }, keyIds: await resumeEndpoints(scope, id) };
  const disabledAt = await scope.now();
  const keyIds = await pauseEndpoints(scope, id, 'partner_disabled');
  await scope.tx.portalPasses.removeOf(id);
  return { partner: { ...partner, disabledAt }, keyIds };
}

/** The audit is kept long and never changed, so it must not contain the person. */
function fieldsOf(before: Partner, after: Partner) {
  const contact = (of: PartnerContact | null) => (of === null ? 'none' : 'set');
  const old = before.contact;
  const set = after.contact;
  const isReplaced = old !== null && set !== null && (old.name !== set.name || old.email !== set.email);
  return changedFields(
    { name: before.name, contact: contact(old), state: stateOf(before) },
    { name: after.name, contact: isReplaced ? 'replaced' : contact(set), state: stateOf(after) },
  );
}

export async function removePartner(scope: Scope, { id }: PartnerTarget): Promise<PartnerRemoval> {
  const partner = await lockPartner(scope, id);
  if (partner.removedAt !== null) return { partner, changed: false, revokedSecrets: 0 };
  const removedAt = await scope.now();
  const keyIds = await pauseEndpoints(scope, id, 'partner_removed');
  const revokedSecrets = await revokeAll(scope, id, removedAt);
  await scope.tx.portalPasses.removeOf(id);
  const keys = await scope.tx.keys.list(id);
  await scope.tx.feed.setRecording(
    keys.map((key) => key.id),
    false,
  );
  const disabledAt = partner.disabledAt ?? removedAt;
  const removed = { ...partner, contact: null, disabledAt, removedAt };
  const outcome = await save(scope, removed, {
    before: { state: stateOf(partner) },
    after: { state: 'removed', revokedSecrets },
    keyIds,
  });
  return { ...outcome, revokedSecrets };
}

function stateOf({ disabledAt }: Partner): 'active' | 'disabled' {
  return disabledAt === null ? 'active' : 'disabled';
}

/**
 * Pauses the endpoints of a partner. Returns their keys. An endpoint that was paused for another reason keeps it while
 * the partner is disabled, so that it stays paused afterwards.
 */
async function pauseEndpoints(
  scope: Scope,
  id: PartnerId,
  reason: Extract<PauseReason, 'partner_disabled' | 'partner_removed'>,
): Promise<readonly KeyId[]> {
  const paused: KeyId[] = [];
  for (const { id: keyId } of await scope.tx.keys.list(id)) {
    await lockKey(scope, keyId);
    const endpoint = await scope.tx.endpoints.findForUpdate(keyId);
    if (endpoint === null || (reason === 'partner_disabled' && endpoint.state.kind === 'paused')) continue;
    const pausedAt = await scope.now();
    await scope.tx.endpoints.save(pausedEndpoint(endpoint, reason, pausedAt));
    paused.push(keyId);
  }
  return paused;
}

/** Resumes the endpoints that were paused when the partner was disabled. Returns their keys. */
async function resumeEndpoints(scope: Scope, id: PartnerId): Promise<readonly KeyId[]> {
  const resumed: KeyId[] = [];
  for (const { id: keyId } of await scope.tx.keys.list(id)) {
    await lockKey(scope, keyId);
    const endpoint = await scope.tx.endpoints.findForUpdate(keyId);
    if (endpoint?.state.kind !== 'paused' || endpoint.state.reason !== 'partner_disabled') continue;
    await scope.tx.endpoints.save(resumeEndpoint(endpoint, await scope.now()));
    resumed.push(keyId);
  }
  if (resumed.length > 0) scope.workIsDue();
  return resumed;
}

/** Revokes all secrets of a partner. Its keys are locked already. */
async function revokeAll({ tx }: Scope, id: PartnerId, revokedAt: number): Promise<number> {
  const keys = await tx.keys.list(id);
  const secrets = (await tx.keys.listSecretsEach(keys.map((key) => key.id))).flat();
  const working = secrets.filter((secret) => secret.revokedAt === null);
  await tx.keys.saveSecrets(working.map((secret) => ({ ...secret, revokedAt })));
  return working.length;
}

interface PartnerChange {
  readonly before: AuditFields;
  readonly after: AuditFields;
  /** The keys whose endpoints changed. */
  readonly keyIds?: readonly KeyId[];
}

async function save(
  scope: Scope,
  partner: Partner,
  { before, after, keyIds = [] }: PartnerChange,
): Promise<PartnerOutcome> {
  await scope.tx.partners.save(partner);
  const endpoints = keyIds.map((id): AuditObject => ({ kind: 'endpoint', id }));
  recordAct(scope, { objects: [{ kind: 'partner', id: partner.id }, ...endpoints], before, after });
  return { partner, changed: true };
}
