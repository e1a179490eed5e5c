import { originOf } from '../domain/failing-endpoint.js';
import type { KeyId, PartnerId } from '../domain/ids.js';
import {
  createSecret,
  DEFAULT_OVERLAP_MS,
  describeSecret,
  type Environment,
  expireBy,
  isSecretUsable,
  type KeySecret,
  type PartnerKey,
  SECRET_RANDOM_BYTES,
} from '../domain/partner-key.js';
import type { Instant } from '../domain/time.js';
import { OperatorError } from '../errors.js';
import type { KeyPosition } from '../ports/repositories/partners.js';
import type { Repositories } from '../ports/storage.js';
import { assertCurrent } from './assert-current.js';
import { onKey, onPartner } from './command/claims.js';
import { type Definitions, inTransaction } from './command/definition.js';
import {
  environment,
  id,
  only,
  optional,
  optionalId,
  overlapMs,
  page,
  text,
  timeline,
} from './command/fields.js';
import { either, filter, record } from './command/input.js';
import { assertAllowedUrl, storedUrl, url } from './command/url.js';
import { describeMissing, lockKey } from './find-or-throw.js';
import { labelKey } from './names.js';
import { newEndpoint } from './new-endpoint.js';
import { definePageCursors, isCursorId, type Page, type PageOptions, readPage } from './page-cursor.js';
import { recordAct, withinAct } from './record-act.js';
import { prepareSandbox } from './sandbox.js';
import type { Scope } from './scope.js';
import { findKeyTimeline } from './timelines/key-timeline.js';
import type { Timeline, TimelineOptions } from './timelines/timeline.js';

/** A key to issue. */
export interface NewKey {
  readonly partnerId: PartnerId;
  readonly environment: Environment;
  readonly endpointUrl?: string | undefined;
}

/** An issued key. The secrets are shown only here. */
export interface IssuedKey {
  readonly key: PartnerKey;
  readonly secret: string;
  /** Null without an `endpointUrl`. */
  readonly endpoint: { readonly url: string; readonly signingSecret: string } | null;
}

/** A rotation of a key's secret. */
export interface KeyRotation {
  readonly keyId: KeyId;
  /** How long the old secrets continue to work, in milliseconds, from 0 to 7 days. Default: 24 hours. */
  readonly overlapMs?: number | undefined;
  /**
   * The last four characters of the secret that you know as the current one, or as the newest one if all have ended. If it is
   * another one, the command throws. Pass it for a rotation that must not happen twice, such as a form that may be sent again.
   */
  readonly ifCurrent?: string | undefined;
}

/** The result of a rotation. The secret is shown only here. */
export interface RotatedKey {
  readonly secret: string;
}

/** Selects secrets by their last four characters or by their SHA-256 hash in hex, or selects all. */
export type KeyRevocation =
  | { readonly keyId: KeyId; readonly secretLastFour: string }
  | { readonly keyId: KeyId; readonly hash: string }
  | { readonly keyId: KeyId; readonly all: true };

/** The secrets that a revocation ended. The list is empty, and nothing `changed`, if they were already revoked. */
export interface RevokedSecrets {
  readonly secrets: readonly SecretView[];
  readonly changed: boolean;
}

/** The state of a secret. A `replaced` secret works until it expires. */
export type SecretState = 'current' | 'replaced' | 'expired' | 'revoked';

/** A secret without its value. */
export interface SecretView extends Omit<KeySecret, 'hash' | 'keyId'> {
  readonly state: SecretState;
}

/** A key with its secrets. The newest secret comes first. */
export interface KeyView {
  readonly key: PartnerKey;
  readonly partnerName: string;
  /** The partner's name with the environment of the key, such as `Acme ATS (production)`. */
  readonly label: string;
  readonly secrets: readonly SecretView[];
}

/** Selects keys. */
export interface KeyFilter extends PageOptions {
  readonly partnerId?: PartnerId | undefined;
}

/** Manages the keys of partners. A partner has one key per environment. */
export interface KeyCommands {
  /**
   * Issues a key to a partner. If the option `sandbox` is set, a sandbox key gets its companies and jobs in
   * the same commit.
   * @throws OperatorError `INVALID_INPUT`, `PARTNER_NOT_FOUND`, or `KEY_EXISTS` if the partner already has
   *   a key of that environment.
   * @example
   * const { key, secret, endpoint } = await operator.keys.issue({
   *   partnerId,
   *   environment: 'production',
   *   endpointUrl: 'https://ats.example/webhooks',
   * });
   */
  issue(key: NewKey): Promise<IssuedKey>;
  /**
   * Creates a secret. The old secrets work until the overlap ends, or until they expire if that is earlier.
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND`, or `SECRET_REPLACED` if `ifCurrent` is not the current secret.
   * @example
   * const { secret } = await operator.keys.rotate({ keyId, overlapMs: 60 * 60 * 1000 });
   */
  rotate(rotation: KeyRotation): Promise<RotatedKey>;
  /**
   * Revokes secrets immediately.
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND`, or `SECRET_NOT_FOUND` if no secret matches.
   * @example
   * const { secrets, changed } = await operator.keys.revoke({ keyId, secretLastFour: 'x7Qa' });
   */
  revoke(revocation: KeyRevocation): Promise<RevokedSecrets>;
  /**
   * Returns a key with the state of its secrets, or null.
   * @example
   * const found = await operator.keys.find({ keyId });
   * const current = found?.secrets.find(({ state }) => state === 'current');
   */
  find(key: { readonly keyId: KeyId }): Promise<KeyView | null>;
  /**
   * Returns a page of the keys of all partners or of one `partnerId`, in the order of partner ids, the production key
   * first, 100 by default. It has no secrets or hashes.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * const { items: keys } = await operator.keys.list({ partnerId });
   */
  list(filter?: KeyFilter): Promise<Page<KeyView>>;
  /**
   * Iterates over what `list` returns, in its order: reads the next page when it is needed, and none after `break`.
   * @throws OperatorError `INVALID_INPUT`.
   * @example
   * for await (const { label, secrets } of operator.keys.each({ partnerId })) console.log(label, secrets.length);
   */
  each(filter?: KeyFilter): AsyncIterable<KeyView>;
  /**
   * Returns what happened to a key and its endpoint, oldest first: failed requests, acts of the host, events with their
   * deliveries, recorded attempts, and the last reads of each list. See docs/timelines.md.
   * @throws OperatorError `INVALID_INPUT` or `KEY_NOT_FOUND`.
   * @example
   * const { entries, completeFrom } = await operator.keys.timeline({ keyId, limit: 50 });
   * for (const { at, text } of entries) console.log(new Date(at).toISOString(), text);
   * // What happened before:
   * if (completeFrom !== null) await operator.keys.timeline({ keyId, limit: 50, until: completeFrom });
   */
  timeline(key: { readonly keyId: KeyId } & TimelineOptions): Promise<Timeline>;
}

const keyId = id('key');

export const keyDefinitions: Definitions<KeyCommands> = {
  issue: {
    summary: "Issues a partner's production or sandbox key",
    input: record({ partnerId: id('partner'), environment, endpointUrl: optional(url) }),
    act: true,
    right: 'keys:issue',
    claims: onPartner,
    run: inTransaction(issueKey),
  },
  rotate: {
    summary: 'Creates a new secret; the old one works during the overlap',
    input: record({ keyId, overlapMs: optional(overlapMs), ifCurrent: optional(text()) }),
    act: true,
    right: 'keys:rotate',
    claims: onKey,
    run: inTransaction(rotateSecret),
  },
  revoke: {
    summary: 'Revokes secrets immediately',
    input: either<KeyRevocation>()(
      { keyId, secretLastFour: optional(text()), hash: optional(text()), all: optional(only(true)) },
      ({ secretLastFour, hash, all }) =>
        [secretLastFour, hash, all].some((given) => given !== undefined)
          ? []
          : [{ rule: 'must have secretLastFour, hash, or all: true' }],
    ),
    act: true,
    right: 'keys:revoke',
    claims: onKey,
    run: inTransaction(revokeSecrets),
  },
  find: {
    summary: 'Shows a key with the state of its secrets',
    input: record({ keyId }),
    right: 'keys:read',
    claims: onKey,
    run: async ({ read, now }, target) => findKeyView(read, target.keyId, await now()),
  },
  list: {
    summary: 'Lists keys and the last four characters of their secrets',
    input: filter({ partnerId: optionalId('partner'), ...page }),
    right: 'keys:read',
    claims: onPartner,
    run: async ({ read, now }, asked) => listKeyViews(read, asked, await now()),
  },
  timeline: {
    summary: 'Shows what happened to a key and its endpoint: refusals, acts, events and attempts',
    input: record({ keyId, ...timeline }),
    right: 'keys:read',
    claims: onKey,
    run: async ({ read, flush }, target) => {
      await flush();
      return findKeyTimeline(read, target);
    },
  },
};

async function issueKey(scope: Scope, { partnerId, environment, endpointUrl }: NewKey): Promise<IssuedKey> {
  if (endpointUrl !== undefined) assertAllowedUrl(endpointUrl, 'endpointUrl', scope.urlPolicy);
  if ((await scope.tx.partners.find(partnerId)) === null) {
    const message = `${describeMissing('partner', partnerId)} Create it with partners.create.`;
    throw new OperatorError('PARTNER_NOT_FOUND', message);
  }
  const key = await addKey(scope, { partnerId, environment });
  const secret = await addSecret(scope, key);
  const endpoint = endpointUrl === undefined ? null : await addEndpoint(scope, key, endpointUrl);
  // The sandbox is prepared last. Its jobs cause events for the endpoint, and publishing them locks the key's
  // feed until the commit.
  if (scope.sandbox && environment === 'sandbox') await prepareSandbox(withinAct(scope), key.id);
  recordAct(scope, {
    objects: [
      { kind: 'key', id: key.id },
      { kind: 'partner', id: partnerId },
    ],
    keyId: key.id,
    after: { environment, endpoint: endpoint && originOf(endpoint.url) },
  });
  return { key, secret, endpoint };
}

async function addKey(
  { tx, runtime, now }: Scope,
  owner: Pick<PartnerKey, 'partnerId' | 'environment'>,
): Promise<PartnerKey> {
  const key = { ...owner, id: runtime.ids.next('key'), createdAt: await now() };
  if ((await tx.keys.add(key)) === 'added') return key;
  throw new OperatorError(
    'KEY_EXISTS',
    `Partner ${owner.partnerId} already has a ${owner.environment} key. Replace its secret with keys.rotate.`,
  );
}

async function addSecret({ tx, runtime, now }: Scope, key: PartnerKey): Promise<string> {
  const secret = createSecret(key.environment, runtime.random.bytes(SECRET_RANDOM_BYTES));
  await tx.keys.addSecret(describeSecret(key.id, key.environment, secret, await now()));
  return secret;
}

async function addEndpoint(scope: Scope, key: PartnerKey, url: string): Promise<IssuedKey['endpoint']> {
  const createdAt = await scope.now();
  const { endpoint, signingSecret } = newEndpoint(scope, { keyId: key.id, url: storedUrl(url), createdAt });
  await scope.tx.endpoints.save(endpoint);
  return { url: endpoint.url, signingSecret };
}

async function rotateSecret(scope: Scope, rotation: KeyRotation): Promise<RotatedKey> {
  const { keyId, overlapMs = DEFAULT_OVERLAP_MS, ifCurrent } = rotation;
  const key = await lockKey(scope, keyId);
  const now = await scope.now();
  const secrets = await scope.tx.keys.listSecrets(keyId);
  assertCurrent(ifCurrent, currentSecretOf(secrets)?.lastFour, `The secret of key ${keyId}`, 'keys.find');
  const usable = secrets.filter((secret) => isSecretUsable(secret, now));
  await scope.tx.keys.saveSecrets(usable.map((secret) => expireBy(secret, now + overlapMs)));
  const secret = await addSecret(scope, key);
  recordAct(scope, {
    objects: [{ kind: 'key', id: keyId }],
    keyId,
    after: { oldSecretsExpireAt: now + overlapMs },
  });
  return { secret };
}

/** @param secrets - newest first. */
function currentSecretOf(secrets: readonly KeySecret[]): KeySecret | undefined {
  return secrets.find(({ expiresAt, revokedAt }) => expiresAt === null && revokedAt === null) ?? secrets[0];
}

async function revokeSecrets(scope: Scope, revocation: KeyRevocation): Promise<RevokedSecrets> {
  const isSelected = selectorOf(revocation);
  await lockKey(scope, revocation.keyId);
  const selected = (await scope.tx.keys.listSecrets(revocation.keyId)).filter(isSelected);
  if (selected.length === 0) {
    const message = `Key ${revocation.keyId} has no such secret. keys.list shows the last four characters of each.`;
    throw new OperatorError('SECRET_NOT_FOUND', message);
  }
  const now = await scope.now();
  const revoked = selected
    .filter(({ revokedAt }) => revokedAt === null)
    .map((secret) => ({ ...secret, revokedAt: now }));
  await scope.tx.keys.saveSecrets(revoked);
  const { keyId } = revocation;
  if (revoked.length > 0) {
    recordAct(scope, {
      objects: [{ kind: 'key', id: keyId }],
      keyId,
      after: { revokedSecrets: revoked.length },
    });
  }
  return { secrets: revoked.map((secret) => viewSecret(secret, now)), changed: revoked.length > 0 };
}

function selectorOf(revocation: KeyRevocation): (secret: KeySecret) => boolean {
  if ('all' in revocation && revocation.all === true) return () => true;
  if ('hash' in revocation && revocation.hash !== undefined) {
    const hash = revocation.hash.toLowerCase();
    return (secret) => secret.hash === hash;
  }
  return ({ lastFour }) => 'secretLastFour' in revocation && lastFour === revocation.secretLastFour;
}

const CURSORS = definePageCursors<KeyPosition>({
  list: 'keys',
  valuesOf: ({ partnerId, environment }) => [partnerId, environment],
  positionOf: ([partnerId, environment]) =>
    isCursorId<PartnerId>(partnerId) && (environment === 'production' || environment === 'sandbox')
      ? { partnerId, environment }
      : null,
});

async function listKeyViews(
  read: Repositories,
  { partnerId: asked, ...page }: KeyFilter,
  now: Instant,
): Promise<Page<KeyView>> {
  const partnerId = asked ?? null;
  const { items: rows, nextCursor } = await readPage(CURSORS, [partnerId], page, (start) =>
    read.keys.list(partnerId, start),
  );
  return { items: await viewKeys(read, rows, now), nextCursor };
}

async function findKeyView(read: Repositories, id: KeyId, now: Instant): Promise<KeyView | null> {
  const key = await read.keys.find(id);
  return key === null ? null : ((await viewKeys(read, [key], now))[0] ?? null);
}

async function viewKeys(
  { keys, names }: Repositories,
  found: readonly PartnerKey[],
  now: Instant,
): Promise<readonly KeyView[]> {
  const ids = found.map(({ id }) => id);
  const [secrets, owners] = [await keys.listSecretsEach(ids), await names.ofKeys(ids)];
  return found.map((key, index) => {
    const partnerName = owners[index]?.partnerName ?? key.partnerId;
    const own = secrets[index] ?? [];
    return {
      key,
      partnerName,
      label: labelKey(partnerName, key.environment),
      secrets: own.map((secret) => viewSecret(secret, now)),
    };
  });
}

function viewSecret(secret: KeySecret, now: Instant): SecretView {
  const { prefix, lastFour, createdAt, lastUsedAt, expiresAt, revokedAt } = secret;
  return { prefix, lastFour, createdAt, lastUsedAt, expiresAt, revokedAt, state: stateOf(secret, now) };
}

function stateOf({ expiresAt, revokedAt }: KeySecret, now: Instant): SecretState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'current';
  return now < expiresAt ? 'replaced' : 'expired';
}
