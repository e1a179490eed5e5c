import { partnerActor } from '../../domain/audit.js';
import type { PartnerId } from '../../domain/ids.js';
import { hashSecret, type Partner } from '../../domain/partner-key.js';
import { signInBucket } from '../../domain/rate-limit.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { lockEnabledPartner } from '../../groups/partners/partner-changes.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { type Change, type Runner, recordAct, type Scope } from '../../operator/scope.js';
import { charge } from './charge.js';
import type { RemovedPasses } from './repository.js';
import {
  LONGEST_LINK_MS,
  PORTAL_PRESET,
  PORTAL_SESSION_MS,
  type PortalPass,
  type PortalPassKind,
  type PortalRight,
} from './rules.js';

/** A link to create. */
export interface NewPortalLink {
  readonly partnerId: PartnerId;
  /** What the person may see and do in the portal; default: `PORTAL_PRESET`. */
  readonly rights?: readonly PortalRight[] | undefined;
  /**
   * How long the link works, in milliseconds, from one second to 15 minutes; default: 15 minutes. Its session lasts 12
   * hours.
   */
  readonly expiresInMs?: number | undefined;
  /** The address of the portal; default: the option `portalUrl` of `createPartnerHiring`. */
  readonly url?: string | undefined;
}

/** A link. It is shown only here. */
export interface PortalLink {
  readonly link: string;
  /** When the link ends if nobody opens it: at most 15 minutes after it was made. */
  readonly expiresAt: Instant;
}

/** A token, and the host that the browser named. */
export interface PortalToken {
  readonly token: string;
  /** Such as `jobs.example.com`, or `127.0.0.1:3000`. */
  readonly host: string;
  /**
   * The address of the client; default: unknown, so that failed sign-ins count for the whole portal. With it, they
   * count for its network.
   */
  readonly client?: string | undefined;
}

/** A link or a session that works now. */
export interface PortalVisit extends Pick<PortalPass, 'partnerId' | 'rights' | 'madeBy' | 'expiresAt'> {
  readonly partnerName: string;
  /** The origin of the link. */
  readonly origin: string;
}

/** A session that has just started. Its token is shown only here. */
export interface PortalSession extends PortalVisit {
  readonly token: string;
  /** How long it lasts, in milliseconds: 12 hours. */
  readonly expiresInMs: number;
}

const TOKEN_BYTES = 32;

export async function createLink(scope: Scope, asked: NewPortalLink): Promise<PortalLink> {
  const { partnerId, rights = PORTAL_PRESET, expiresInMs = LONGEST_LINK_MS } = asked;
  const url = addressOf(asked.url ?? scope.portalUrl ?? null);
  await lockEnabledPartner(scope, partnerId);
  const createdAt = await scope.now();
  const expiresAt = createdAt + expiresInMs;
  const { origin } = new URL(url);
  const madeBy = scope.actor.name === null ? scope.actor.id : `${scope.actor.name} (${scope.actor.id})`;
  const token = await addPass(scope, {
    kind: 'link',
    partnerId,
    origin,
    rights,
    madeBy,
    createdAt,
    expiresAt,
  });
  recordAct(scope, { objects: [{ kind: 'partner', id: partnerId }], after: { rights, expiresAt } });
  return { link: `${url}/sign-in?token=${token}`, expiresAt };
}

function addressOf(url: string | null): string {
  if (url === null) {
    throw new OperatorError(
      'MISCONFIGURED',
      'The address of the portal is unknown. Pass it as `url`, or set the option `portalUrl` of createPartnerHiring.',
    );
  }
  return url.replace(/\/$/, '');
}

/** The session of a link. Null, and `changed` is false, if the link does not work. */
export interface PortalSignIn {
  readonly session: PortalSession | null;
  readonly changed: boolean;
}

/** All links and sessions of a partner, or the session of a token. */
export type PortalTarget =
  | { readonly partnerId: PartnerId; readonly token?: undefined; readonly host?: undefined }
  | (Pick<PortalToken, 'token' | 'host'> & { readonly partnerId?: undefined });

/** What was ended. */
export interface PortalRevocation extends RemovedPasses {
  /** False if there were none. */
  readonly changed: boolean;
}

const NOTHING_REVOKED: PortalRevocation = { links: 0, sessions: 0, changed: false };

/** Uses a link up, and starts a session. Of two calls for one link, only one gets the session. */
export async function signIn(context: CommandContext, link: PortalToken): Promise<PortalSignIn> {
  const session = await context.commit((scope) => startSession(scope, link));
  if (session === null) await chargeFailure(context, link);
  return { session, changed: session !== null };
}

/** A sign-in that succeeds is never counted, so a flood of others does not keep anybody out. */
async function chargeFailure({ read, settings }: Runner, { client }: PortalToken): Promise<void> {
  await charge(read, signInBucket(client ?? null, settings.rateLimits), 'sign-ins that failed');
}

async function startSession(scope: Scope, { token, host }: PortalToken): Promise<PortalSession | null> {
  const { tx } = scope;
  const found = await tx.portalPasses.find(hashSecret(token));
  if (found?.kind !== 'link') return null;
  // Whoever ends the sessions of a partner locks it, so none of them starts meanwhile.
  const partner = await tx.partners.findForUpdate(found.partnerId);
  const createdAt = await scope.now();
  if (partner === null || !isValid(found, partner, host, createdAt)) return null;
  if (!(await tx.portalPasses.remove(found.hash))) return null;
  const expiresAt = createdAt + PORTAL_SESSION_MS;
  const session: PortalPass = { ...found, kind: 'session', createdAt, expiresAt };
  const sessionToken = await addPass(scope, session);
  recordUse(scope, partner, found, { after: { rights: found.rights, expiresAt } });
  return { ...visitOf(session, partner), token: sessionToken, expiresInMs: PORTAL_SESSION_MS };
}

/** Returns the link or the session of a token while it works. */
export async function findVisit(
  context: CommandContext,
  asked: PortalToken & { readonly kind: PortalPassKind },
): Promise<PortalVisit | null> {
  const visit = await readVisit(context, asked);
  if (visit === null) await chargeFailure(context, asked);
  return visit;
}

async function readVisit(
  { read, now }: Runner,
  { token, host, kind }: PortalToken & { readonly kind: PortalPassKind },
): Promise<PortalVisit | null> {
  const found = await read.portalPasses.find(hashSecret(token));
  if (found?.kind !== kind) return null;
  const partner = await read.partners.find(found.partnerId);
  return partner !== null && isValid(found, partner, host, await now()) ? visitOf(found, partner) : null;
}

/** Ends the session of a token, or all links and sessions of a partner. */
export function revokePasses(scope: Scope, target: PortalTarget): Promise<PortalRevocation> {
  return target.partnerId === undefined ? endSession(scope, target) : endAll(scope, target.partnerId);
}

async function endSession(
  scope: Scope,
  { token, host }: Pick<PortalToken, 'token' | 'host'>,
): Promise<PortalRevocation> {
  const { tx } = scope;
  const found = await tx.portalPasses.find(hashSecret(token));
  // Acts of the session lock the partner too, so none of them commits after the session has ended.
  const partner = found === null ? null : await tx.partners.findForUpdate(found.partnerId);
  if (found?.kind !== 'session' || partner === null) return NOTHING_REVOKED;
  if (!isValid(found, partner, host, await scope.now())) return NOTHING_REVOKED;
  if (!(await tx.portalPasses.remove(found.hash))) return NOTHING_REVOKED;
  const removed = { links: 0, sessions: 1 };
  recordUse(scope, partner, found, { before: removed });
  return { ...removed, changed: true };
}

async function endAll(scope: Scope, partnerId: PartnerId): Promise<PortalRevocation> {
  // A session that starts meanwhile would survive.
  await scope.tx.partners.findForUpdate(partnerId);
  const removed = await scope.tx.portalPasses.removeOf(partnerId);
  const changed = removed.links + removed.sessions > 0;
  if (changed) {
    recordAct(scope, { objects: [{ kind: 'partner', id: partnerId }], before: { ...removed } });
  }
  return { ...removed, changed };
}

function isValid({ origin, expiresAt }: PortalPass, partner: Partner, host: string, now: Instant): boolean {
  return partner.disabledAt === null && now < expiresAt && new URL(origin).host === host.toLowerCase();
}

function visitOf(
  { partnerId, rights, origin, madeBy, expiresAt }: Omit<PortalPass, 'hash'>,
  { name }: Partner,
): PortalVisit {
  return { partnerId, partnerName: name, rights, origin, madeBy, expiresAt };
}

/** The reason of acts in a session, so that the audit names the maker of its link. */
export function reasonOfLink(madeBy: string): string {
  return `Signed in by a link of ${madeBy}`;
}

/** The actor of a use is the partner, whoever runs the command. */
function recordUse(
  scope: Scope,
  { id, name }: Partner,
  { madeBy }: Pick<PortalPass, 'madeBy'>,
  change: Pick<Change, 'before' | 'after'>,
): void {
  const actor = partnerActor(id, { name, door: 'portal', reason: reasonOfLink(madeBy) });
  recordAct({ ...scope, actor }, { ...change, objects: [{ kind: 'partner', id }] });
}

/** Stores the hash of a new token. Returns the token. */
async function addPass({ tx, runtime }: Scope, pass: Omit<PortalPass, 'hash'>): Promise<string> {
  const token = Buffer.from(runtime.random.bytes(TOKEN_BYTES)).toString('base64url');
  await tx.portalPasses.add({ ...pass, hash: hashSecret(token) });
  return token;
}
