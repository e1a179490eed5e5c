import { partnerActor } from '../../domain/audit.js';
import type { ApplicationId, EventId, KeyId, PartnerId } from '../../domain/ids.js';
import type { PartnerKey } from '../../domain/partner-key.js';
import { portalBucket } from '../../domain/rate-limit.js';
import type { Instant } from '../../domain/time.js';
import { listKeyViews } from '../../groups/partners/key-commands.js';
import type { KeyRotation, RevokedSecrets, RotatedKey } from '../../groups/partners/key-secrets.js';
import { revokeSecrets } from '../../groups/partners/key-secrets.js';
import { sessionPermit } from '../../groups/partners/partner-permits.js';
import type { ActAsPartner } from '../../operator/act-as-partner.js';
import { namedError } from '../../operator/command/input.js';
import { keyNotFound } from '../../operator/find-or-throw.js';
import { findOwnKey } from '../../operator/gate/check-claim.js';
import { assertRight } from '../../operator/gate/limits.js';
import type { Page, PageOptions } from '../../operator/page-cursor.js';
import type { Readiness } from '../readiness/checklist.js';
import type { ProbeRun } from '../readiness/prober-commands.js';
import { createEndpointActs } from '../self-service/endpoint-acts.js';
import type { EndpointSelfService } from '../self-service/service.js';
import { charge } from './charge.js';
import { findClosing } from './find-closing.js';
import { findOldSecret } from './old-secret.js';
import { findBySourceId, findOwnApplication } from './own-applications.js';
import { countSent, type EventCount, listMended, portalDeliveries } from './own-deliveries.js';
import type { PortalApplicationFilter, PortalDeliveryFilter, PortalRequestFilter } from './own-filters.js';
import {
  type OwnApplication,
  type OwnKey,
  type OwnRequest,
  ownApplication,
  ownKey,
  ownRequest,
  type PortalBacklog,
  type PortalDelivery,
  type PortalDeliveryDetails,
  type PortalEndpoint,
  type PortalRequest,
  portalBacklog,
  portalDeliveryDetails,
  portalEndpoint,
  portalRequest,
  type SeenCompany,
  seenCompany,
} from './own-rows.js';
import { reasonOfLink } from './portal-passes.js';
import type { PortalRight } from './rules.js';
import { showUrlsTo } from './shown-urls.js';

/** Somebody of a partner. */
export interface PartnerAccess {
  readonly partnerId: PartnerId;
  /** The name of the person or of the partner, for the audit. */
  readonly name: string;
  readonly rights: readonly PortalRight[];
  /**
   * The token of the session in the portal; omitted if your own site signs the person in. Each act checks that it works
   * when the act commits.
   */
  readonly session?: string | undefined;
  /** Who made the link of the session, for the audit; default: nobody. */
  readonly madeBy?: string | undefined;
}

/**
 * What one partner may see and do, through the code of the partner API. An id of another partner is unknown here: a read
 * returns null, and an act throws `KEY_NOT_FOUND`. Without the right, a call throws `RIGHT_MISSING`. An act throws
 * `CREDENTIAL_ENDED` if the session has ended or the partner is disabled, and `RATE_LIMITED` after too many acts on a key
 * in a minute. Rows have only what the partner API tells the partner too.
 */
export interface PartnerView extends Omit<EndpointSelfService<KeyId>, 'find' | 'listDeliveries'> {
  /** Returns the storage's time. */
  now(): Promise<Instant>;
  /** Returns the partner's name. */
  partner(): Promise<{ readonly id: PartnerId; readonly name: string }>;
  /** Lists the keys of the partner, production first. Without the right `keys`, they have no secrets. */
  keys(): Promise<readonly OwnKey[]>;
  key(keyId: KeyId): Promise<OwnKey | null>;
  /** Lists the companies whose jobs the key sees now. Needs the right `keys`. */
  companies(keyId: KeyId, page?: PageOptions): Promise<Page<SeenCompany> | null>;
  /** Null if the key has no endpoint. */
  endpoint(keyId: KeyId): Promise<PortalEndpoint | null>;
  /** Counts the events that the endpoint has not received. Needs the right `endpoint`. */
  backlog(keyId: KeyId): Promise<PortalBacklog | null>;
  /** The newest event comes first. */
  deliveries(keyId: KeyId, filter?: PortalDeliveryFilter): Promise<Page<PortalDelivery> | null>;
  delivery(eventId: EventId): Promise<PortalDeliveryDetails | null>;
  requests(filter?: PortalRequestFilter): Promise<Page<OwnRequest> | null>;
  request(requestId: string): Promise<PortalRequest | null>;
  applications(filter: PortalApplicationFilter): Promise<Page<OwnApplication> | null>;
  application(id: ApplicationId): Promise<OwnApplication | null>;
  /** Counts the events that `resendSince` sends, up to 1000. Needs its right. */
  countSince(keyId: KeyId, since: Instant): Promise<EventCount | null>;
  /**
   * Creates a new secret of a key.
   * @throws OperatorError `SECRET_REPLACED` if `ifCurrent` is not the current secret, `TOO_MANY_SECRETS` if four secrets
   *   would work, or `ILLEGAL_MOVE` if none works.
   */
  rotateKey(rotation: Omit<KeyRotation, 'id'> & { readonly keyId: KeyId }): Promise<RotatedKey>;
  /**
   * Revokes a replaced secret of a key before its overlap ends. The current secret continues to work. Needs the right
   * `rotateKey`.
   * @throws OperatorError `SECRET_NOT_FOUND` if no replaced secret that works ends in these characters, or if no
   *   current secret works.
   */
  stopOldSecret(keyId: KeyId, lastFour: string): Promise<RevokedSecrets>;
  /** Returns the go-live checklist of a key, or null. */
  readiness(keyId: KeyId): Promise<Readiness | null>;
  /**
   * Sends test events to the endpoint of a sandbox key, for the checklist.
   * @throws OperatorError as `keys.probe` does.
   */
  probe(keyId: KeyId): Promise<ProbeRun>;
}

const MOST_ROWS = 50;
const MOST_RETRIES = 10_000;

/** Binds the operator to one partner. */
export function createPartnerView(
  { partnerId, name, rights, session, madeBy }: PartnerAccess,
  actAsPartner: ActAsPartner,
): PartnerView {
  const reason = madeBy === undefined ? null : reasonOfLink(madeBy);
  const actor = partnerActor(partnerId, { name, door: 'portal', reason });
  // The name of the person replaces that of the partner in the audit.
  const parts = actAsPartner(actor, sessionPermit(partnerId, session ?? null));
  const { commands, runner } = parts;
  const selfService = createEndpointActs(async () => parts);
  const { read, settings } = runner;
  const { show, showOwn } = showUrlsTo(rights);

  const need = (right: PortalRight) => assertRight(rights, right);

  /** The keys of the partner. Every id of another object is looked up within these keys. */
  const ownKeys = () => read.keys.list(partnerId);
  const findOwn = (keyId: KeyId) => findOwnKey(read, [partnerId], keyId);

  /** Reads something of a key. Null if the key is not the partner's own. */
  async function reading<Result>(
    right: PortalRight,
    keyId: KeyId,
    readOf: (key: PartnerKey) => Promise<Result | null>,
  ): Promise<Result | null> {
    need(right);
    const key = await findOwn(keyId);
    if (key === null) return null;
    return readOf(key).catch((error: unknown) => {
      throw namedError(`portal.${right}`, error);
    });
  }

  async function mustFindOwn(right: PortalRight, keyId: KeyId): Promise<PartnerKey> {
    need(right);
    const key = await findOwn(keyId);
    if (key === null) throw keyNotFound(keyId);
    return key;
  }

  /** Runs an act on a key, and counts it. */
  async function acting<Result>(
    right: PortalRight,
    keyId: KeyId,
    act: (key: PartnerKey) => Promise<Result>,
  ): Promise<Result> {
    const key = await mustFindOwn(right, keyId);
    await charge(read, portalBucket(keyId, settings.rateLimits), 'acts in the portal on this key');
    return act(key);
  }

  async function viewKeys(): Promise<readonly OwnKey[]> {
    const { items } = await listKeyViews(read, { partnerId }, await runner.now());
    return items.map((view) =>
      ownKey(view, settings.limitsOf(view.key.loweredLimits), rights.includes('keys')),
    );
  }

  return {
    now: () => runner.now(),
    partner: async () => ({ id: partnerId, name: (await read.partners.find(partnerId))?.name ?? name }),
    keys: viewKeys,
    key: async (keyId) => (await viewKeys()).find(({ id }) => id === keyId) ?? null,
    companies: (keyId, page) =>
      reading('keys', keyId, async () => {
        const { items, nextCursor } = await commands.access.list({ keyId, onlyActive: true, ...page });
        return { items: items.map(seenCompany), nextCursor };
      }),
    endpoint: (keyId) =>
      reading('endpoint', keyId, async () => {
        const found = await read.endpoints.find(keyId);
        if (found === null) return null;
        return portalEndpoint(
          show(found),
          await runner.now(),
          await read.deliveries.listAttempts({ keyId, limit: 5 }),
        );
      }),
    backlog: (keyId) =>
      reading('endpoint', keyId, async () => {
        const { overall } = await commands.deliveries.count({ keyId });
        const [backlog] = await read.endpoints.backlogs(keyId, await runner.now(), MOST_RETRIES);
        return portalBacklog(overall, backlog?.scheduled ?? 0);
      }),
    deliveries: (keyId, { state, cursor, limit = MOST_ROWS } = {}) =>
      reading('deliveries', keyId, async () => {
        if (state === 'mended') return listMended(read, keyId, { cursor, limit });
        const { items, nextCursor } = await commands.deliveries.list({ keyId, state, cursor, limit });
        return { items: await portalDeliveries(read, items), nextCursor };
      }),
    delivery: async (eventId) => {
      need('deliveries');
      for (const { id: keyId } of await ownKeys()) {
        const found = await commands.deliveries.find({ keyId, eventId });
        if (found !== null) return portalDeliveryDetails(found);
      }
      return null;
    },
    requests: async ({ keyId, ...filter } = {}) => {
      need('requests');
      if (keyId !== undefined && (await findOwn(keyId)) === null) return null;
      const owner = keyId === undefined ? { partnerId } : { keyId };
      const { items, nextCursor } = await commands.requests.list({ limit: MOST_ROWS, ...filter, ...owner });
      const own = items.flatMap((row) => (row.keyId === null ? [] : [ownRequest(row.keyId, row)]));
      return { items: own, nextCursor };
    },
    request: async (requestId) => {
      need('requests');
      const found = await commands.requests.find({ id: requestId });
      const keyId = found?.keyId ?? null;
      if (found === null || keyId === null || (await findOwn(keyId)) === null) return null;
      const { code, jobId } = found;
      const isClosed = code === 'JOB_CLOSED' && jobId !== null && rights.includes('deliveries');
      const closing = isClosed ? await findClosing(read, commands.deliveries, keyId, jobId) : null;
      return portalRequest(keyId, found, closing);
    },
    applications: ({ keyId, sourceApplicationId, cursor, limit = MOST_ROWS }) =>
      reading('applications', keyId, async () => {
        if (sourceApplicationId === undefined) {
          const page = await commands.applications.list({ keyId, cursor, limit });
          return { items: page.items.map(ownApplication), nextCursor: page.nextCursor };
        }
        const found = await findBySourceId(read, keyId, sourceApplicationId);
        return { items: found === null ? [] : [found], nextCursor: null };
      }),
    application: async (id) => {
      need('applications');
      return findOwnApplication(read, await ownKeys(), id);
    },
    setUrl: (keyId, url) => acting('url', keyId, (key) => selfService.setUrl(key, url)),
    test: (keyId) => acting('test', keyId, selfService.test),
    pause: (keyId) => acting('pause', keyId, (key) => showOwn(selfService.pause(key))),
    resume: (keyId, options) => acting('resume', keyId, (key) => showOwn(selfService.resume(key, options))),
    rotateSecret: (keyId, options) =>
      acting('rotateSecret', keyId, (key) => selfService.rotateSecret(key, options)),
    resend: (keyId, eventId) => acting('resend', keyId, (key) => selfService.resend(key, eventId)),
    resendSince: (keyId, since) => acting('resendSince', keyId, (key) => selfService.resendSince(key, since)),
    countSince: (keyId, since) => reading('resendSince', keyId, () => countSent(read, keyId, since)),
    stopOldSecret: async (keyId, lastFour) => {
      await mustFindOwn('rotateKey', keyId);
      const { hash } = await findOldSecret(read, keyId, lastFour, await runner.now());
      return runner.run('keys.revoke', (scope) =>
        revokeSecrets(scope, keyId, (secret) => secret.hash === hash),
      );
    },
    rotateKey: ({ keyId, ...rotation }) =>
      acting('rotateKey', keyId, () => commands.keys.rotate({ ...rotation, id: keyId })),
    readiness: (keyId) => reading('goLive', keyId, () => commands.keys.readiness({ id: keyId })),
    probe: (keyId) => acting('goLive', keyId, () => commands.keys.probe({ id: keyId })),
  };
}
