import {
  createPartnerPortal,
  type PartnerPortal,
  type PartnerPortalOptions,
  type PortalActor,
} from '@partner-hiring/console/portal';
import { type PartnerId, PORTAL_RIGHTS, type PortalRight } from '@partner-hiring/core';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import { ORIGIN, type SentFields, type SentHeaders, type Visit } from '../console/platform.js';

/** The origin of the portal in tests without a network. */
export const PORTAL_ORIGIN = ORIGIN;

/** The address of the portal in tests without a network. */
export const PORTAL_URL = `${PORTAL_ORIGIN}/portal`;

/** Somebody of a partner. */
export function actorOf(
  partnerId: PartnerId,
  rights: readonly PortalRight[] = PORTAL_RIGHTS,
  name = 'Dana of the partner',
): PortalActor {
  return { partnerId, name, rights };
}

/** A browser without a network. It keeps the cookie of its session. */
export interface PortalVisitor {
  readonly portal: PartnerPortal;
  /** What was logged. */
  readonly logged: readonly { readonly fields: unknown; readonly message: string }[];
  /** Becomes somebody else, by the host's hook. Null for a stranger. */
  become(actor: PortalActor | null): void;
  /** The cookie of the session, such as `name=value`. Empty without one. */
  cookie: string;
  get(path: string, headers?: SentHeaders): Promise<Visit>;
  /** Sends a form as a page of the portal does, unless `headers` say something else. */
  post(path: string, fields?: Readonly<SentFields>, headers?: SentHeaders): Promise<Visit>;
}

/** Opens the portal, and visits it as the actor. Null for somebody with a link only. */
export function openPortal(
  { operator }: Pick<Fixture, 'operator'>,
  actor: PortalActor | null = null,
  options: Partial<PartnerPortalOptions> = {},
): PortalVisitor {
  let current = actor;
  const logged: { fields: unknown; message: string }[] = [];
  const logger = {
    error: (fields: unknown, message: string) => void logged.push({ fields, message }),
  };
  const portal = createPartnerPortal({ operator, actor: () => current, logger, ...options });
  const send = async (path: string, init: RequestInit, headers: SentHeaders): Promise<Visit> => {
    const sent = new Headers(headers);
    if (visitor.cookie !== '' && !sent.has('cookie')) sent.set('cookie', visitor.cookie);
    const url = path.startsWith('http') ? path : `${PORTAL_ORIGIN}${path}`;
    const response = await portal.fetch(new Request(url, { ...init, headers: sent }));
    const [session = null] = response.headers
      .getSetCookie()
      .filter((cookie) => cookie.includes('partner_hiring_portal_session='));
    if (session !== null) {
      const [pair = ''] = session.split(';');
      visitor.cookie = pair.endsWith('=') ? '' : pair;
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const visitor: PortalVisitor = {
    portal,
    logged,
    cookie: '',
    become: (next) => {
      current = next;
    },
    get: (path, headers = {}) => send(path, {}, headers),
    post: (path, fields = {}, headers = { 'sec-fetch-site': 'same-origin', origin: PORTAL_ORIGIN }) =>
      send(path, { method: 'POST', body: new URLSearchParams(fields as SentFields) }, headers),
  };
  return visitor;
}
