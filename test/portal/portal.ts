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
export interface Browser {
  /** The cookie of the session, such as `name=value`. Empty without one. */
  cookie: string;
  get(path: string, headers?: SentHeaders): Promise<Visit>;
  /** Sends a form as a page of the same origin does, unless `headers` say something else. */
  post(path: string, fields?: Readonly<SentFields>, headers?: SentHeaders): Promise<Visit>;
}

/** A browser of the portal. */
export interface PortalVisitor extends Browser {
  readonly portal: PartnerPortal;
  /** What was logged. */
  readonly logged: readonly { readonly fields: unknown; readonly message: string }[];
  /** Becomes somebody else, by the host's hook. Null for a stranger. */
  become(actor: PortalActor | null): void;
}

const SESSION = /partner_hiring_\w+_session=/;

/** Opens a browser for pages of the portal or of the console. */
export function openBrowser(fetchPage: (request: Request) => Promise<Response>): Browser {
  const send = async (path: string, init: RequestInit, headers: SentHeaders): Promise<Visit> => {
    const sent = new Headers(headers);
    if (browser.cookie !== '' && !sent.has('cookie')) sent.set('cookie', browser.cookie);
    const url = path.startsWith('http') ? path : `${PORTAL_ORIGIN}${path}`;
    const response = await fetchPage(new Request(url, { ...init, headers: sent }));
    const [session = null] = response.headers.getSetCookie().filter((cookie) => SESSION.test(cookie));
    if (session !== null) {
      const [pair = ''] = session.split(';');
      browser.cookie = pair.endsWith('=') ? '' : pair;
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const browser: Browser = {
    cookie: '',
    get: (path, headers = {}) => send(path, {}, headers),
    post: (path, fields = {}, headers = { 'sec-fetch-site': 'same-origin', origin: PORTAL_ORIGIN }) =>
      send(path, { method: 'POST', body: new URLSearchParams(fields as SentFields) }, headers),
  };
  return browser;
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
  const become = (next: PortalActor | null) => {
    current = next;
  };
  return Object.assign(openBrowser(portal.fetch), { portal, logged, become });
}
