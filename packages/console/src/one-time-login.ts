import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { OperatorError } from '@partner-hiring/core';
import type { ConsoleActor, ConsoleActorHook } from './actor.js';
import { readCookie } from './http/notice-cookie.js';
import { parseActor } from './parse-actor.js';

/** Options of `createOneTimeLogin`. */
export interface OneTimeLoginOptions {
  /** Who gets in. It is read once, here. */
  readonly actor: ConsoleActor;
  /** The path of the console. Default: `/console`. */
  readonly path?: string;
  /** How long a link works, in milliseconds. Default: 10 minutes. */
  readonly linkMs?: number;
  /** How long a session lasts, in milliseconds. Default: 12 hours. */
  readonly sessionMs?: number;
}

/** A sign-in without passwords, for one person at one machine. Its sessions are in memory. */
export interface OneTimeLogin {
  /** Pass it to `createConsole`. */
  readonly actor: ConsoleActorHook;
  /** Pass it to `createConsole`. */
  readonly signIn: (request: Request) => Response | null;
  /**
   * Returns a new link. It works once. Show it only to the person.
   * @param origin - of the server, such as `http://127.0.0.1:3000`.
   */
  createLink(origin: string): string;
}

const COOKIE = 'partner_hiring_console_session';
const TOKEN_BYTES = 32;

/**
 * Creates a sign-in for a console on this machine: whoever opens the link gets a session. Do not use it for a console that
 * others can reach: connect your own sign-in with the actor hook instead.
 * @throws OperatorError `MISCONFIGURED` if the actor is not one.
 * @example
 * const login = createOneTimeLogin({
 *   actor: { id: 'local', name: 'Local operator', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' },
 * });
 * const { operator } = partnerHiring;
 * const partnerConsole = createConsole({ operator, actor: login.actor, signIn: login.signIn });
 * console.log(login.createLink('http://127.0.0.1:3000'));
 */
export function createOneTimeLogin(options: OneTimeLoginOptions): OneTimeLogin {
  const parsed = parseActor(options.actor);
  if ('problem' in parsed) {
    throw new OperatorError('MISCONFIGURED', `createOneTimeLogin got an actor ${parsed.problem}`);
  }
  const { actor } = parsed;
  const { path = '/console', linkMs = 10 * 60_000, sessionMs = 12 * 3_600_000 } = options;
  const links = createTokens(linkMs);
  const sessions = createTokens(sessionMs);

  return {
    actor: (request) => {
      const token = readCookie(request, COOKIE);
      return token !== null && sessions.has(token) ? actor : null;
    },
    signIn: (request) => {
      const { searchParams, protocol } = new URL(request.url);
      if (request.method !== 'GET' || !links.take(searchParams.get('token') ?? '')) return null;
      const cookie = `${COOKIE}=${sessions.issue()}; Path=${path}; Max-Age=${Math.floor(sessionMs / 1_000)}; HttpOnly; SameSite=Strict`;
      // A redirect would not carry the cookie if the link was opened from another site. A page that moves on does.
      return new Response(movingOn(path), {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'set-cookie': protocol === 'https:' ? `${cookie}; Secure` : cookie,
        },
      });
    },
    createLink: (origin) => `${origin}${path}/sign-in?token=${links.issue()}`,
  };
}

function movingOn(path: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signed in</title>
<meta http-equiv="refresh" content="0; url=${path}"></head>
<body><p><a href="${path}">Open the console</a></p></body></html>`;
}

interface Tokens {
  issue(): string;
  has(token: string): boolean;
  /** Returns whether the token is valid, and ends it. */
  take(token: string): boolean;
}

/** Keeps only hashes, so that a dump of the memory shows no token. */
function createTokens(lifetimeMs: number): Tokens {
  const issued: { readonly hash: Buffer; readonly until: number }[] = [];
  const indexOf = (token: string) => {
    const hash = hashOf(token);
    return issued.findIndex((one) => timingSafeEqual(one.hash, hash) && one.until > Date.now());
  };
  return {
    issue: () => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const valid = issued.filter(({ until }) => until > Date.now());
      issued.splice(0, issued.length, ...valid, { hash: hashOf(token), until: Date.now() + lifetimeMs });
      return token;
    },
    has: (token) => indexOf(token) >= 0,
    take: (token) => {
      const index = indexOf(token);
      if (index >= 0) issued.splice(index, 1);
      return index >= 0;
    },
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
