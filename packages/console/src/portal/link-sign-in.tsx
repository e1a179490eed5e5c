import type { PortalVisit } from '@partner-hiring/core';
import { isFromOrigin } from '../http/is-own-post.js';
import { attributesOf, readCookie } from '../http/notices.js';
import type { PageContent } from '../http/screen.js';
import type { CheckedPortalOptions } from './options.js';

/** `path` is the portal's path as browsers see it. */
type LinkOptions = Pick<CheckedPortalOptions, 'operator' | 'origin' | 'path' | 'isEmbedded'>;

/** A session, with its token. */
export interface ReadSession extends PortalVisit {
  readonly token: string;
}

/** Browsers take a cookie with the first name only over https. The prefix `__Host-` would forbid the path. */
const COOKIES = [
  { name: '__Secure-partner_hiring_portal_session', protocol: 'https:' },
  { name: 'partner_hiring_portal_session', protocol: 'http:' },
] as const;

/** Returns the session of a request, or null. Two cookies of the same name are no session. */
export async function readSession(
  options: LinkOptions,
  request: Request,
  framework: unknown,
): Promise<ReadSession | null> {
  for (const { name, protocol } of COOKIES) {
    const token = readCookie(request, name);
    if (token === null || token === '') continue;
    const pass = { token, host: hostOf(options, request), client: clientOf(framework) };
    const visit = await options.operator.portal.find({ ...pass, kind: 'session' });
    // Somebody on the way, or another host of the site, could set the second cookie over http, but not the first.
    if (visit !== null && new URL(visit.origin).protocol === protocol) return { ...visit, token };
  }
  return null;
}

/**
 * Answers a link. GET and HEAD, which mail scanners and browsers send ahead, show a page with a button. Only its POST uses
 * the link up, and only if it comes from that page.
 */
export async function answerLink(
  options: LinkOptions,
  request: Request,
  framework: unknown,
): Promise<Response | PageContent> {
  const { operator, path } = options;
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const pass = { token, host: hostOf(options, request), client: clientOf(framework) };
  const link = await operator.portal.find({ ...pass, kind: 'link' });
  if (link === null) return usedLinkPage(path);
  if (request.method === 'GET' || request.method === 'HEAD') return linkPage(link);
  if (request.method !== 'POST') {
    return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  }
  // Stricter than for other forms, also outside of a frame.
  if (!isFromOrigin(request, link.origin)) {
    const text =
      'This form did not come from the page of the link. Open the link, and press the button there.';
    return textPage('Refused', text, 403);
  }
  const { session } = await operator.portal.signIn(pass);
  if (session === null) return usedLinkPage(path);
  const cookie = sessionCookie(options, session.origin, session.token, session.expiresInMs);
  return new Response(null, { status: 303, headers: { location: path, 'set-cookie': cookie } });
}

/** Ends the session of a request, and goes to the page of strangers. */
export async function endSession(
  options: LinkOptions,
  request: Request,
  framework: unknown,
): Promise<Response | null> {
  const session = await readSession(options, request, framework);
  if (session === null) return null;
  const { operator, path } = options;
  await operator.portal.signOut({ token: session.token, host: hostOf(options, request) });
  const cookie = sessionCookie(options, session.origin, '', 0);
  return new Response(null, { status: 303, headers: { location: path, 'set-cookie': cookie } });
}

/**
 * Returns the address of the client, as the framework knows it: `ip` of Express and Fastify, which trust the proxies of the
 * host's setting, or the other end of the connection.
 */
function clientOf(framework: unknown): string | undefined {
  const { ip, socket } = Object(framework) as { ip?: unknown; socket?: { remoteAddress?: unknown } };
  const address = ip ?? socket?.remoteAddress;
  return typeof address === 'string' ? address : undefined;
}

/** The host that the browser named. So a foreign name that resolves to this server is refused. */
function hostOf({ origin }: LinkOptions, { headers, url }: Request): string {
  if (origin !== null) return new URL(origin).host;
  // HTTP/2 has no such header.
  return (headers.get('host') ?? new URL(url).host).toLowerCase();
}

/** `Lax`, because messages link to the portal, and a link to a page changes nothing. */
function sessionCookie(
  { path, isEmbedded }: LinkOptions,
  origin: string,
  token: string,
  lifetimeMs: number,
): string {
  const { protocol } = new URL(origin);
  const { name } = COOKIES.find((cookie) => cookie.protocol === protocol) ?? COOKIES[0];
  const scope = `Path=${path}; Max-Age=${Math.floor(lifetimeMs / 1_000)}`;
  return `${name}=${token}; ${scope}; ${attributesOf('Lax', { isSecure: protocol === 'https:', isEmbedded })}`;
}

function linkPage({ partnerName }: PortalVisit): PageContent {
  const body = (
    <section class="card">
      <p>
        You sign in for <strong>{partnerName}</strong>. The button works once.
      </p>
      <form method="post">
        <p class="buttons">
          <button type="submit">Sign in</button>
        </p>
      </form>
    </section>
  );
  return { kind: 'page', title: 'Sign in', body };
}

function usedLinkPage(path: string): PageContent {
  const body = (
    <section class="card">
      <p>A link works once, and only for a few minutes. This one was used, or it has expired.</p>
      <p>
        If you have signed in, <a href={path}>open the portal</a>. Otherwise, ask for a new link.
      </p>
    </section>
  );
  return { kind: 'page', title: 'This link does not work', body, status: 410 };
}

/** A page with one sentence. */
export function textPage(
  title: string,
  text: string,
  status: NonNullable<PageContent['status']>,
): PageContent {
  const body = (
    <section class="card">
      <p>{text}</p>
    </section>
  );
  return { kind: 'page', title, body, status };
}
