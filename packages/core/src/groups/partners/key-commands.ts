import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import { keyAt, type RateLimits } from '../../domain/rate-limit.js';
import type { Instant } from '../../domain/time.js';
import { onOwnKey, onPartner } from '../../operator/command/claims.js';
import { type Definitions, inTransaction } from '../../operator/command/definition.js';
import {
  environment,
  id,
  name,
  only,
  optional,
  optionalId,
  page,
  rotation,
  text,
  url,
} from '../../operator/command/fields.js';
import { either, filter, object, record } from '../../operator/command/input.js';
import { labelKey } from '../../operator/names.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import type { KeyPosition } from '../../ports/repositories/partners.js';
import type { Repositories } from '../../ports/storage.js';
import { type IssuedKey, issueKey, type NewKey, secretForNewKey } from './issue-key.js';
import {
  changeLimits,
  type KeyLimitsOutcome,
  type LimitLowering,
  loweringInput,
  lowerLimits,
} from './key-limits.js';
import {
  type KeyRevocation,
  type KeyRotation,
  type RevokedSecrets,
  type RotatedKey,
  revokeSecrets,
  rotateSecret,
  type SecretView,
  selectorOf,
  viewSecret,
} from './key-secrets.js';

/** A key with its secrets. The newest secret comes first. */
export interface KeyView {
  /** Its `loweredLimits` are null after their end. */
  readonly key: PartnerKey;
  readonly partnerName: string;
  /** The partner's name with the environment of the key, such as `Acme ATS (production)`. */
  readonly label: string;
  /** The newest first, revoked and expired ones too. */
  readonly secrets: readonly SecretView[];
}

/** A key with the usual limits. */
export interface FoundKey extends KeyView {
  /** Requests per minute that this process allows each key. Lower limits of the key are in `key.loweredLimits`. */
  readonly usualLimits: RateLimits;
}

/** Selects keys. */
export interface KeyFilter extends PageOptions {
  /** Only the keys of this partner; default: of all. */
  readonly partnerId?: PartnerId | undefined;
}

const CURSORS = definePageCursors<KeyPosition>('keys', {
  partnerId: 'id',
  environment: (given) => given === 'production' || given === 'sandbox',
});

export async function listKeyViews(
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

export async function findKeyView(read: Repositories, id: KeyId, now: Instant): Promise<KeyView | null> {
  const key = await read.keys.find(id);
  return key === null ? null : ((await viewKeys(read, [key], now))[0] ?? null);
}

/** Adds names and the state of the secrets to keys. */
export async function viewKeys(
  { keys, names }: Repositories,
  found: readonly PartnerKey[],
  now: Instant,
): Promise<readonly KeyView[]> {
  const ids = found.map(({ id }) => id);
  const secrets = await keys.listSecretsEach(ids);
  const owners = await names.ofKeys(ids);
  return found.map((key, index) => {
    const partnerName = owners[index]?.partnerName ?? key.partnerId;
    const own = secrets[index] ?? [];
    return {
      key: keyAt(key, now),
      partnerName,
      label: labelKey(partnerName, key.environment),
      secrets: own.map((secret) => viewSecret(secret, now)),
    };
  });
}

/** Manages the keys of partners. A partner has one key per environment. */
export interface KeyCommands {
  /**
   * Issues a key to a partner, which has at most one for each environment. If the option `sandbox` is set, a sandbox
   * key gets its companies and jobs in the same commit.
   * @throws OperatorError `PARTNER_NOT_FOUND`; `PARTNER_DISABLED`; `PARTNER_REMOVED`; `KEY_EXISTS` if the partner
   *   already has a key of that environment; `NOT_READY` if the key is for production, without `override`, and the
   *   sandbox key lacks items of `goLive.required`.
   * @example
   * const { key, secret, endpoint } = await operator.keys.issue({
   *   partnerId,
   *   environment: 'production',
   *   endpointUrl: 'https://ats.example/webhooks',
   * });
   */
  issue(key: NewKey): Promise<IssuedKey>;
  /**
   * Creates a secret and returns it, only here; an old secret works until the overlap ends, or until it expires if that
   * is earlier. Any number of secrets may work at once.
   * @throws OperatorError `KEY_NOT_FOUND`; `SECRET_REPLACED` if `ifCurrent` is not the current secret.
   * @example
   * const { secret } = await operator.keys.rotate({ id: keyId, overlapMs: 60 * 60 * 1000 });
   */
  rotate(rotation: KeyRotation): Promise<RotatedKey>;
  /**
   * Revokes secrets immediately: all that match. Links and sessions of the portal end if no secret of the key works
   * afterwards.
   * @throws OperatorError `KEY_NOT_FOUND`; `SECRET_NOT_FOUND` if no secret matches.
   * @example
   * const { secrets, changed } = await operator.keys.revoke({ id: keyId, secretLastFour: 'x7Qa' });
   */
  revoke(revocation: KeyRevocation): Promise<RevokedSecrets>;
  /**
   * Lowers limits of a key, from its next request on, and returns when they end. They replace lower limits of before.
   * Bootstrap mode multiplies the lower limit. The partner sees the reason in the portal. Contract: 8.14.
   * @throws OperatorError `KEY_NOT_FOUND`; `INVALID_INPUT` if a limit is not lower than the usual one.
   * @example
   * await operator.keys.lowerLimits({
   *   id: keyId,
   *   perMinute: { list_jobs: 6, submit_application: 1 },
   *   reason: 'It reads all jobs each second',
   *   forMs: 24 * 60 * 60 * 1000,
   * });
   */
  lowerLimits(lowering: LimitLowering): Promise<KeyLimitsOutcome>;
  /**
   * Ends the lower limits of a key before their time.
   * @throws OperatorError `KEY_NOT_FOUND`
   * @example
   * const { changed } = await operator.keys.liftLimits({ id: keyId });
   */
  liftLimits(key: { readonly id: KeyId }): Promise<KeyLimitsOutcome>;
  /**
   * Returns a key with the state of its secrets and the usual limits, or null.
   * @example
   * const found = await operator.keys.find({ id: keyId });
   * const current = found?.secrets.find(({ state }) => state === 'current');
   */
  find(key: { readonly id: KeyId }): Promise<FoundKey | null>;
  /**
   * Returns a page of the keys of all partners or of one `partnerId`, in the order of partner ids, 100 by default. The
   * production key of a partner comes first. The page has no secrets or hashes.
   * @example
   * const { items: keys } = await operator.keys.list({ partnerId });
   */
  list(filter?: KeyFilter): Promise<Page<KeyView>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { label, secrets } of operator.keys.each({ partnerId })) console.log(label, secrets.length);
   */
  each(filter?: KeyFilter): AsyncIterable<KeyView>;
}

const key = { id: id('key') };

export const keyDefinitions: Definitions<KeyCommands> = {
  issue: {
    summary: "Issues a partner's production or sandbox key",
    input: record({
      partnerId: id('partner'),
      environment,
      endpointUrl: optional(url, 'The URL of its webhook endpoint'),
      override: optional(object({ reason: name() }), 'Skips the check of goLive.required: why'),
    }),
    pastTense: 'issued the key',
    right: 'keys:issue',
    claims: onPartner,
    run: async ({ commit, flush, settings }, input) => {
      await flush();
      const made = await secretForNewKey(settings, input.endpointUrl);
      return commit((scope) => issueKey(scope, input, made));
    },
  },
  rotate: {
    summary: 'Creates a new secret; the old one works during the overlap',
    input: record({ ...key, ...rotation }),
    pastTense: 'rotated the secret of the key',
    right: 'keys:rotate',
    claims: onOwnKey,
    run: inTransaction(rotateSecret),
  },
  revoke: {
    summary: 'Revokes secrets immediately',
    input: either<KeyRevocation>()(
      {
        ...key,
        secretLastFour: optional(text(), 'The last four characters of a secret'),
        all: optional(only(true), 'All secrets of the key'),
      },
      ({ secretLastFour, all }) =>
        (secretLastFour ?? all) === undefined ? [{ rule: 'must have secretLastFour, or all: true' }] : [],
    ),
    pastTense: 'revoked secrets of the key',
    right: 'keys:revoke',
    claims: onOwnKey,
    run: inTransaction((scope, revocation) => revokeSecrets(scope, revocation.id, selectorOf(revocation))),
  },
  lowerLimits: {
    summary: 'Lowers rate limits of a key for a time',
    input: loweringInput,
    pastTense: 'lowered the limits of the key',
    right: 'keys:limit',
    claims: onOwnKey,
    run: inTransaction(lowerLimits),
  },
  liftLimits: {
    summary: 'Ends lower rate limits of a key before their time',
    input: record(key),
    pastTense: 'lifted the lower limits of the key',
    right: 'keys:limit',
    claims: onOwnKey,
    run: inTransaction((scope, target) => changeLimits(scope, target.id, null)),
  },
  find: {
    summary: 'Shows a key with the state of its secrets',
    input: record(key),
    right: 'keys:read',
    claims: onOwnKey,
    run: async ({ read, now, settings }, target) => {
      const found = await findKeyView(read, target.id, await now());
      return found === null ? null : { ...found, usualLimits: settings.rateLimits };
    },
  },
  list: {
    summary: 'Lists keys and the last four characters of their secrets',
    input: filter({ partnerId: optionalId('partner'), ...page }),
    right: 'keys:read',
    claims: onPartner,
    run: async ({ read, now }, asked) => listKeyViews(read, asked, await now()),
  },
};
