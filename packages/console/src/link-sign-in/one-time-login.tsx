import { randomBytes } from 'node:crypto';
import { OperatorError } from '@partner-hiring/core';
import { isHttpsOrLoopback, isPublicPath } from '@partner-hiring/core/contract';
import { html } from 'hono/html';
import type { ConsoleActor, ConsoleActorHook } from '../actor.js';
import type { PageContent } from '../http/screen.js';
import { isUnder } from '../mount/to-web-request.js';
import { isOrigin } from '../options.js';
import { parseActor } from '../parse-actor.js';
import { createLinkSignIn, hostOf } from './link-sign-in.js';
import { createMemoryLinks } from './memory-links.js';

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
  const links = createMemoryLinks({ link: linkMs, session: sessionMs });
  const hosts = new Set<string>();
  const { readSession, answerLink, endSession } = createLinkSignIn({
    kind: 'console',
    store: links,
    origin: null,
    isEmbedded: false,
    whoSignsIn: () => (
      <>
        You sign in to the partner console as <strong>{actor.name}</strong>.
      </>
    ),
  });

  return {
    path,
    actor: async (request) => {
      if (!isUnder(new URL(request.url).pathname, path)) {
        throw misconfigured('needs its path: pass `path: login.path` to createConsole.');
      }
      return (await readSession(request, undefined)) === null ? null : actor;
    },
    signIn: async (request, base = path) => {
      // Under another host, nothing says that there are links.
      if (!hosts.has(hostOf(request))) return null;
      const answered = await answerLink(request, undefined, base);
      return 'headers' in answered ? answered : plainPage(answered);
    },
    signOut: async (request, _host, base = path) => {
      const cookie = await endSession(request, undefined, base);
      const body = <p>The session has ended. To sign in again, restart the program that printed the link.</p>;
      const page = { kind: 'page', title: 'You are signed out', body } as const;
      return plainPage(page, cookie === null ? {} : { 'set-cookie': cookie });
    },
    createLink: (address) => {
      const [, origin = '', prefix = ''] = /^([a-z]+:\/\/[^/]*)(.*)$/.exec(address) ?? [];
      const isSafe = isOrigin(origin) && isHttpsOrLoopback(new URL(origin));
      if (!isSafe || (prefix !== '' && !isPublicPath(prefix))) {
        throw misconfigured(
          'makes links for origins with https, or of this machine, such as http://127.0.0.1:3000.',
        );
      }
      hosts.add(new URL(origin).host);
      return `${address}${path}/sign-in?token=${links.createLink(origin)}`;
    },
  };
}

function misconfigured(rule: string): OperatorError {
  return new OperatorError('MISCONFIGURED', `createOneTimeLogin ${rule}`);
}

/** Sends a page without styles: the console's files are only for people who have signed in. */
async function plainPage(
  { title, body, status = 200 }: PageContent,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const text = await html`<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {body}
        </main>
      </body>
    </html>
  )}`;
  return new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8', ...more } });
}
