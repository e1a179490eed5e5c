import type { PartnerId } from '../../domain/ids.js';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../domain/time.js';
import { isHttpsOrLoopback } from '../../domain/web-link.js';
import { ENDPOINT_RIGHTS, type EndpointRight, SELF_SERVICE_PRESET } from '../self-service/rules.js';

/**
 * A right in the portal: one of the rights on the webhook endpoint, or to see the keys, to rotate a key's secret, to see
 * the requests, to see the applications, or to see and prove what a key still lacks to go live.
 */
export type PortalRight = EndpointRight | 'keys' | 'rotateKey' | 'requests' | 'applications' | 'goLive';

const RIGHTS: Readonly<Record<PortalRight, true>> = {
  ...ENDPOINT_RIGHTS,
  keys: true,
  rotateKey: true,
  requests: true,
  applications: true,
  goLive: true,
};

/** The names of all rights in the portal. */
export const PORTAL_RIGHTS = Object.keys(RIGHTS) as readonly PortalRight[];

/** The rights that show secrets or let events go elsewhere. */
const STRONG: readonly PortalRight[] = PORTAL_RIGHTS.filter(
  (right) => Object.hasOwn(ENDPOINT_RIGHTS, right) && !Object.hasOwn(SELF_SERVICE_PRESET, right),
);

/**
 * The rights of a link without `rights`: all except `url`, `rotateSecret` and `rotateKey`, with which somebody who got the
 * link by mistake could read or forge events, or use the API.
 * @example
 * const { link } = await operator.portal.createLink({ partnerId, rights: [...PORTAL_PRESET, 'rotateKey'] });
 */
export const PORTAL_PRESET: readonly PortalRight[] = PORTAL_RIGHTS.filter(
  (right) => right !== 'rotateKey' && !STRONG.includes(right),
);

/** `link`, which signs in once, or `session`, which follows and lasts 12 hours. */
export type PortalPassKind = 'link' | 'session';

/** A link or a session, as it is stored: with the hash of its token. */
export interface PortalPass {
  readonly hash: string;
  readonly kind: PortalPassKind;
  readonly partnerId: PartnerId;
  /** The origin of the link, such as `https://jobs.example.com`. The pass works only there. */
  readonly origin: string;
  readonly rights: readonly PortalRight[];
  /** Who made the link, such as `Ada (user_42)`. */
  readonly madeBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** A link is sent by e-mail, so it must be of no use to whoever finds it later. */
export const LONGEST_LINK_MS = 15 * MINUTE_MS;

/** A working day. */
export const PORTAL_SESSION_MS = 12 * HOUR_MS;

/** The rule for the address of a portal. */
export const PORTAL_URL_RULE =
  'must be the https address of the portal, such as https://jobs.example.com/portal, without a query; ' +
  'http works only on this machine, such as http://localhost:3000/portal';

/** Returns whether a value can be the address of a portal. Over http, others on the network could read a link and its session. */
export function isPortalUrl(text: unknown): boolean {
  if (typeof text !== 'string' || /[\p{C}\s]/u.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return isHttpsOrLoopback(url) && `${url.search}${url.hash}${url.username}${url.password}` === '';
}
