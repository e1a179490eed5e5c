import type { AuditFields, AuditObject } from '../domain/audit.js';
import { type PauseReason, pausedEndpoint, resumeEndpoint } from '../domain/endpoint.js';
import type { KeyId, PartnerId } from '../domain/ids.js';
import type { Partner, PartnerContact } from '../domain/partner-key.js';
import { OperatorError } from '../errors.js';
import { describeMissing, lockKey } from './find-or-throw.js';
import { recordAct, type Scope } from './scope.js';

/** A partner by its id. */
export interface PartnerTarget {
  readonly id: PartnerId;
}

/** Input of `setContact`. */
export interface PartnerContactChange extends PartnerTarget {
  /** Null clears the contact. */
  readonly contact: PartnerContact | null;
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
    `Partner ${partner.id} is disabled. Enable it with partners.enable, then try again.`,
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

export async function renamePartner(
  scope: Scope,
  { id, name }: PartnerTarget & { readonly name: string },
): Promise<PartnerOutcome> {
  const partner = await lockPartner(scope, id);
  if (partner.name === name) return { partner, changed: false };
  return save(scope, { ...partner, name }, { before: { name: partner.name }, after: { name } });
}

export async function setPartnerContact(
  scope: Scope,
  { id, contact: given }: PartnerContactChange,
): Promise<PartnerOutcome> {
  const partner = await lockPartner(scope, id);
  assertNotRemoved(partner);
  const contact = given && { name: given.name.trim(), email: given.email };
  const { contact: old } = partner;
  if (old?.name === contact?.name && old?.email === contact?.email) return { partner, changed: false };
  return save(scope, { ...partner, contact }, contactFields(old, contact));
}

/** The audit is kept long and never changed, so it must not contain the person. */
function contactFields(old: PartnerContact | null, contact: PartnerContact | null) {
  const state = (of: PartnerContact | null) => (of === null ? 'none' : 'set');
  const after = old !== null && contact !== null ? 'replaced' : state(contact);
  return { before: { contact: state(old) }, after: { contact: after } };
}

export async function disablePartner(scope: Scope, { id }: PartnerTarget): Promise<PartnerOutcome> {
  const partner = await lockPartner(scope, id);
  assertNotRemoved(partner);
  if (partner.disabledAt !== null) return { partner, changed: false };
  const disabledAt = await scope.now();
  const keyIds = await pauseEndpoints(scope, id, 'partner_disabled');
  await scope.tx.portalPasses.removeOf(id);
  return save(scope, { ...partner, disabledAt }, { ...move('active', 'disabled'), keyIds });
}

export async function enablePartner(scope: Scope, { id }: PartnerTarget): Promise<PartnerOutcome> {
  const partner = await lockPartner(scope, id);
  assertNotRemoved(partner);
  if (partner.disabledAt === null) return { partner, changed: false };
  const keyIds = await resumeEndpoints(scope, id);
  return save(scope, { ...partner, disabledAt: null }, { ...move('disabled', 'active'), keyIds });
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
  const { before, after } = move(partner.disabledAt === null ? 'active' : 'disabled', 'removed');
  const disabledAt = partner.disabledAt ?? removedAt;
  const removed = { ...partner, contact: null, disabledAt, removedAt };
  const outcome = await save(scope, removed, { before, after: { ...after, revokedSecrets }, keyIds });
  return { ...outcome, revokedSecrets };
}

type PartnerState = 'active' | 'disabled' | 'removed';

function move(before: PartnerState, after: PartnerState) {
  return { before: { state: before }, after: { state: after } };
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

/** Resumes the endpoints that `disablePartner` paused. Returns their keys. */
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
