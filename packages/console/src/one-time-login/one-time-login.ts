import { randomBytes } from 'node:crypto';
import { OperatorError } from '@partner-hiring/core';
import { isHttpsOrLoopback, isPublicPath } from '@partner-hiring/core/contract';
import type { ConsoleActor, ConsoleActorHook } from '../actor.js';
import { isOwnPost } from '../http/is-own-post.js';
import { readCookie } from '../http/notices.js';
import { isUnder } from '../mount/to-web-request.js';
import { isOrigin } from '../options.js';
import { parseActor } from '../parse-actor.js';
import { signedOutPage, signInPage, usedLinkPage } from './sign-in-pages.js';
import { createTokens } from './tokens.js';

/** Options of `createOneTimeLogin`. */
export interface OneTimeLoginOptions {
  /** Who gets in. It is read once, here. */
  readonly actor: ConsoleActor;
  /** The start of the console's path, which a random part follows; default: `/console`. */
  readonly path?: string | undefined;
  /** How long a link works, in milliseconds; default: 10 minutes. */
  readonly linkMs?: number | undefined;
  /** How long a session lasts, in milliseconds; default: 12 hours. */
  readonly sessionMs?: number | undefined;
}

/** A sign-in without passwords, for one person at one machine. Its sessions are in memory. */
export interface OneTimeLogin {
  /** Pass it to `createConsole`. */
  readonly actor: ConsoleActorHook;
  /** Pass it to `createConsole`. */
  readonly signIn: (request: Request, base?: string) => Promise<Response | null>;
  /** Pass it to `createConsole`. Ends the session permanently: its cookie no longer works in any browser. */
  readonly signOut: (request: Request, host?: unknown, base?: string) => Promise<Response>;
  /** The console's path, with a random part. Pass it to `createConsole`, and log it nowhere. */
  readonly path: string;
  /**
   * Returns a new link. It works once, and only under the host of this origin. Show it only to the person.
   * @param address - the origin that browsers see, such as `http://127.0.0.1:3000`, and the path that a proxy removes, if
   * there is one, such as `https://dev.example.com/hiring`.
   * @throws OperatorError `MISCONFIGURED` if it is not like that, or if others on the network could read the link.
   */
  createLink(address: string): string;
}

/** Nobody guesses 128 bits. */
const PATH_BYTES = 16;
const HTML = { 'content-type': 'text/html; charset=utf-8' } as const;

/**
 * Creates a sign-in for a console on this machine: whoever opens the link and presses the button gets a session. Do not
 * use it for a console that others can reach: connect your own sign-in with the actor hook instead.
 *
 * Browsers send the cookies of `127.0.0.1` to all of its ports, so the console needs a path that programs on other ports
 * do not know.
 * @throws OperatorError `MISCONFIGURED` if the actor is not one.
 * @example
 * const login = createOneTimeLogin({
 *   actor: { id: 'local', name: 'Local operator', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' },
 * });
 * const { operator } = partnerHiring;
 * const { actor, signIn, signOut, path } = login;
 * const partnerConsole = createConsole({ operator, actor, signIn, signOut, path });
 * console.log(login.createLink('http://127.0.0.1:3000'));
 */
export function createOneTimeLogin(options: OneTimeLoginOptions): OneTimeLogin {
  const parsed = parseActor(options.actor);
  if ('problem' in parsed) throw misconfigured(`got an actor ${parsed.problem}`);
  const { actor } = parsed;
  const { linkMs = 10 * 60_000, sessionMs = 12 * 3_600_000 } = options;
  const path = `${options.path ?? '/console'}/${randomBytes(PATH_BYTES).toString('base64url')}`;
  const links = createTokens(linkMs);
  const sessions = createTokens(sessionMs);
  const origins = new Set<string>();
  /** Returns the origin of the link that a request's host matches. Null for any other host. */
  const originOf = (request: Request) => [...origins].find((origin) => isTo(request, origin)) ?? null;
  const sessionCookie = (base: string, origin: string, token: string, lifetimeMs: number) => {
    const scope = `Path=${base}; Max-Age=${Math.floor(lifetimeMs / 1_000)}`;
    const secure = isEncrypted(origin) ? '; Secure' : '';
    return `${cookieNameOf(origin)}=${token}; ${scope}; HttpOnly; SameSite=Strict${secure}`;
  };

  return {
    path,
    actor: (request) => {
      if (!isUnder(new URL(request.url).pathname, path)) {
        throw misconfigured('needs its path: pass `path: login.path` to createConsole.');
      }
      const origin = originOf(request);
      if (origin === null) return null;
      const token = readCookie(request, cookieNameOf(origin)) ?? '';
      return sessions.originOf(token) === origin ? actor : null;
    },
    signIn: async (request, base = path) => {
      const origin = originOf(request);
      if (origin === null) return null;
      const token = new URL(request.url).searchParams.get('token') ?? '';
      if (links.originOf(token) !== origin) {
        return new Response(await usedLinkPage(base), { status: 410, headers: HTML });
      }
      // Only the button signs in: programs that fetch links ahead send GET and HEAD.
      if (request.method !== 'POST') return new Response(await signInPage(actor.name), { headers: HTML });
      if (!isOwnPost(request, origin)) {
        return new Response('Open the link, and press the button there.', { status: 403 });
      }
      // Nothing is awaited between the check above and this line, so if two POSTs arrive at once, only one signs in.
      links.take(token);
      const cookie = sessionCookie(base, origin, sessions.issue(origin), sessionMs);
      return new Response(null, { status: 303, headers: { location: base, 'set-cookie': cookie } });
    },
    signOut: async (request, _host, base = path) => {
      // The console lets only a signed-in person in, so the host is that of a link.
      const origin = originOf(request) ?? new URL(request.url).origin;
      sessions.take(readCookie(request, cookieNameOf(origin)) ?? '');
      const headers = { ...HTML, 'set-cookie': sessionCookie(base, origin, '', 0) };
      return new Response(await signedOutPage(), { headers });
    },
    createLink: (address) => {
      const [, origin = '', prefix = ''] = /^([a-z]+:\/\/[^/]*)(.*)$/.exec(address) ?? [];
      const isSafe = isOrigin(origin) && isHttpsOrLoopback(new URL(origin));
      if (!isSafe || (prefix !== '' && !isPublicPath(prefix))) {
        throw misconfigured(
          'makes links for origins with https, or of this machine, such as http://127.0.0.1:3000.',
        );
      }
      origins.add(origin);
      return `${address}${path}/sign-in?token=${links.issue(origin)}`;
    },
  };
}

/** Compares the host that the client named. So a foreign host name that resolves to this machine is refused. */
function isTo({ url, headers }: Request, origin: string): boolean {
  // HTTP/2 has no such header, and some servers make URLs without it.
  const named = headers.get('host') ?? new URL(url).host;
  return named.toLowerCase() === new URL(origin).host;
}

/** With this prefix, browsers take the cookie only over https. The prefix `__Host-` would forbid the path. */
function cookieNameOf(origin: string): string {
  return `${isEncrypted(origin) ? '__Secure-' : ''}partner_hiring_console_session`;
}

function isEncrypted(origin: string): boolean {
  return origin.startsWith('https:');
}

function misconfigured(rule: string): OperatorError {
  return new OperatorError('MISCONFIGURED', `createOneTimeLogin ${rule}`);
}
