import { MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import { onPartner } from '../../operator/command/claims.js';
import { type Definitions, inTransaction } from '../../operator/command/definition.js';
import { id, listField, oneOf, optional, text, value } from '../../operator/command/fields.js';
import { either, record } from '../../operator/command/input.js';
import type { CommandRight } from '../../operator/command/rights.js';
import {
  createLink,
  findVisit,
  type NewPortalLink,
  type PortalLink,
  type PortalRevocation,
  type PortalSignIn,
  type PortalTarget,
  type PortalToken,
  type PortalVisit,
  revokePasses,
  signIn,
} from './portal-passes.js';
import {
  isPortalUrl,
  LONGEST_LINK_MS,
  PORTAL_PRESET,
  PORTAL_RIGHTS,
  PORTAL_URL_RULE,
  type PortalPassKind,
  type PortalRight,
} from './rules.js';

/** Signs partners in to their portal. See docs/portal.md. */
export interface PortalCommands {
  /**
   * Creates a link that signs somebody of a partner in to the portal, once, within at most 15 minutes. Give it only to
   * the partner: whoever opens it first gets the session, which lasts 12 hours. Link and session also end with
   * `revoke`, when the partner is disabled or removed, and when a key of the partner loses its last secret.
   * @throws OperatorError `PARTNER_NOT_FOUND`; `PARTNER_DISABLED`; `PARTNER_REMOVED`; `MISCONFIGURED` if there is
   *   neither `url` nor the option `portalUrl`.
   * @example
   * const { link } = await operator.portal.createLink({ partnerId, expiresInMs: 10 * 60_000 });
   */
  createLink(link: NewPortalLink): Promise<PortalLink>;
  /**
   * Ends all links and sessions of a partner, or only the session of a token, and returns how many there were; API keys
   * go on working. With a token, whose session belongs to another host or has ended, changes nothing; the audit then
   * records the partner as the actor, and `createPartnerPortal` calls it for "Sign out".
   * @example
   * const { links, sessions } = await operator.portal.revoke({ partnerId });
   * const { changed } = await operator.portal.revoke({ token: 'AbC…', host: 'jobs.example.com' });
   */
  revoke(target: PortalTarget): Promise<PortalRevocation>;
  /**
   * Uses a link up, and starts a session. `createPartnerPortal` calls it. The session is null for a link that was used,
   * has ended or belongs to another host. The audit records the partner as the actor.
   * @throws OperatorError `RATE_LIMITED` if too many sign-ins of the client's network failed within a minute. One
   *   that succeeds is never limited.
   * @example
   * const { session } = await operator.portal.signIn({ token: 'AbC…', host: 'jobs.example.com' });
   */
  signIn(link: PortalToken): Promise<PortalSignIn>;
  /**
   * Returns the link or the session of a token while it works, or null. `createPartnerPortal` calls it.
   * @throws OperatorError `RATE_LIMITED` as `signIn`.
   * @example
   * const visit = await operator.portal.find({ token: 'AbC…', host: 'jobs.example.com', kind: 'session' });
   */
  find(token: PortalToken & { readonly kind: PortalPassKind }): Promise<PortalVisit | null>;
}

const KINDS = ['link', 'session'] as const;

const rights = listField(oneOf(PORTAL_RIGHTS), {
  min: 1,
  max: PORTAL_RIGHTS.length,
  rule: `must be a list of rights: ${PORTAL_RIGHTS.join(', ')}`,
});

const lifetime = value<number>(
  (given) => Number.isInteger(given) && Number(given) >= SECOND_MS && Number(given) <= LONGEST_LINK_MS,
  `must be an integer number of milliseconds, from one second to ${LONGEST_LINK_MS / MINUTE_MS} minutes`,
  'duration',
);

const address = value<string>(isPortalUrl, PORTAL_URL_RULE, 'text');

const pass = { token: text(), host: text() };

const signInPass = { ...pass, client: optional(text(), 'The address of the client') };

/** To hand a right out, an actor needs the right to do the same in the console. */
const RIGHT_TO_HAND_OUT: Readonly<Record<PortalRight, CommandRight>> = {
  endpoint: 'endpoints:read',
  url: 'endpoints:set-url',
  test: 'endpoints:test',
  pause: 'endpoints:pause',
  resume: 'endpoints:resume',
  rotateSecret: 'endpoints:rotate-secret',
  deliveries: 'deliveries:read',
  resend: 'deliveries:resend',
  resendSince: 'deliveries:resend',
  keys: 'keys:read',
  rotateKey: 'keys:rotate',
  requests: 'requests:read',
  applications: 'applications:read',
  goLive: 'keys:probe',
};

export const portalDefinitions: Definitions<PortalCommands> = {
  createLink: {
    summary: 'Makes a link that signs a partner in to its portal, once',
    input: record({
      partnerId: id('partner'),
      rights: optional(rights, 'Only these rights; default: all that show no secret'),
      expiresInMs: optional(lifetime, 'How long the link works: at most 15 minutes, the default'),
      url: optional(address, 'The address of the portal'),
    }),
    pastTense: 'made a link to the portal of the partner',
    right: ({ rights: handedOut = PORTAL_PRESET }) => [
      'portal:link',
      ...new Set([handedOut].flat().flatMap((right) => RIGHT_TO_HAND_OUT[right] ?? [])),
    ],
    claims: onPartner,
    run: inTransaction(createLink),
  },
  revoke: {
    summary: 'Ends all links and sessions of a partner in the portal, or one session',
    input: either<PortalTarget>()(
      {
        partnerId: optional(id('partner'), 'All of this partner'),
        token: optional(text(), 'Only the session of this token'),
        host: optional(text(), 'The host of the session'),
      },
      ({ partnerId, token, host }) => {
        const given = [token, host].filter((each) => each !== undefined).length;
        const isClear = given === (partnerId === undefined ? 2 : 0);
        return isClear ? [] : [{ rule: 'must have `partnerId`, or `token` and `host`' }];
      },
    ),
    pastTense: 'ended links or sessions of the partner',
    right: 'portal:revoke',
    // The partner of a token is unknown here, so a token needs the rights for all partners.
    claims: onPartner,
    run: inTransaction(revokePasses),
  },
  signIn: {
    summary: 'Uses a link to the portal up, and starts a session',
    input: record(signInPass),
    pastTense: 'signed in to the portal of the partner',
    run: signIn,
  },
  find: {
    summary: 'Shows the link or the session of a token while it works',
    input: record({ ...signInPass, kind: oneOf(KINDS) }),
    run: findVisit,
  },
};
