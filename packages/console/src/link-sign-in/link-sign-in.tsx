import type { Child } from 'hono/jsx';
import { errorPage } from '../http/error-pages.js';
import { isFromOrigin } from '../http/is-same-origin-post.js';
import { attributesOf, readCookie } from '../http/notices.js';
import type { PageContent } from '../http/screen.js';

/** A token, and who sent it. */
export interface LinkPass {
  readonly token: string;
  /** The host that the browser named. */
  readonly host: string;
  /** The address of the client, if the framework knows it. */
  readonly client?: string | undefined;
}

/** A link or a session that works. */
export interface LinkVisit {
  /** The origin of the link. */
  readonly origin: string;
}

/** Keeps links and sessions by the hashes of their tokens. Each works only under the host of its origin. */
export interface LinkStore<Visit extends LinkVisit> {
  /** Returns the link or the session of a token while it works, or null. */
  find(pass: LinkPass & { readonly kind: 'link' | 'session' }): Promise<Visit | null>;
  /** Uses a link up, and starts a session. Null for a link that does not work: of two calls, only one gets the session. */
  signIn(link: LinkPass): Promise<{
    readonly session: (LinkVisit & { readonly token: string; readonly expiresInMs: number }) | null;
  }>;
  /** Ends a session. */
  revoke(session: Pick<LinkPass, 'token' | 'host'>): Promise<unknown>;
}

/** `Lax` for the portal, because messages link to it, and a link to a page changes nothing. */
const SAME_SITE = { console: 'Strict', portal: 'Lax' } as const;
const NEW_LINK = { console: 'restart the program that printed it', portal: 'ask for a new link' } as const;

/** Where links sign in. */
export interface LinkSignInOptions<Visit extends LinkVisit> {
  readonly kind: 'console' | 'portal';
  readonly store: LinkStore<Visit>;
  /** The origin that browsers see. Null for that of each request. */
  readonly origin: string | null;
  /** Whether pages of another origin show the pages in a frame. */
  readonly isEmbedded: boolean;
  /** Says who signs in by a link. */
  whoSignsIn(link: Visit): Child;
}

/** A sign-in by links that work once. */
export type LinkSignIn<Visit extends LinkVisit> = ReturnType<typeof createLinkSignIn<Visit>>;

/** Creates a sign-in by links. `base` is the path of the pages as browsers see it. */
export function createLinkSignIn<Visit extends LinkVisit>(options: LinkSignInOptions<Visit>) {
  const { kind, store, isEmbedded } = options;
  const plainName = `partner_hiring_${kind}_session`;
  /** Browsers take a cookie with the first name only over https. The prefix `__Host-` would forbid the path. */
  const cookies = [
    { name: `__Secure-${plainName}`, protocol: 'https:' },
    { name: plainName, protocol: 'http:' },
  ] as const;
  const passOf = (request: Request, framework: unknown, token: string): LinkPass => {
    const host = options.origin === null ? hostOf(request) : new URL(options.origin).host;
    return { token, host, client: clientOf(framework) };
  };
  const cookieOf = (base: string, origin: string, token: string, lifetimeMs: number) => {
    const { protocol } = new URL(origin);
    const { name } = cookies.find((cookie) => cookie.protocol === protocol) ?? cookies[0];
    const scope = `Path=${base}; Max-Age=${Math.floor(lifetimeMs / 1_000)}`;
    const attributes = attributesOf(SAME_SITE[kind], { isSecure: protocol === 'https:', isEmbedded });
    return `${name}=${token}; ${scope}; ${attributes}`;
  };
  /** Returns the session of a request, or null. Two cookies of the same name are no session. */
  async function readSession(request: Request, framework: unknown) {
    for (const { name, protocol } of cookies) {
      const token = readCookie(request, name);
      if (token === null || token === '') continue;
      const visit = await store.find({ ...passOf(request, framework, token), kind: 'session' });
      // Somebody on the way, or another host of the site, could set the second cookie over http, but not the first.
      if (visit !== null && new URL(visit.origin).protocol === protocol) return { ...visit, token };
    }
    return null;
  }

  return {
    readSession,
    /**
     * Answers a link. GET and HEAD, which mail scanners and browsers send ahead, show a page with a button. Only its
     * POST uses the link up, and only if it comes from that page.
     */
    async answerLink(request: Request, framework: unknown, base: string): Promise<Response | PageContent> {
      const pass = passOf(request, framework, new URL(request.url).searchParams.get('token') ?? '');
      const link = await store.find({ ...pass, kind: 'link' });
      if (link === null) return usedLinkPage(kind, base);
      if (request.method === 'GET' || request.method === 'HEAD') return linkPage(options.whoSignsIn(link));
      if (request.method !== 'POST') {
        return new Response('Method not allowed', { status: 405, headers: { allow: 'GET, HEAD, POST' } });
      }
      // Stricter than for other forms, also outside of a frame.
      if (!isFromOrigin(request, link.origin)) {
        const text =
          'This form did not come from the page of the link. Open the link, and press the button there.';
        return errorPage(403, 'Refused', text);
      }
      const { session } = await store.signIn(pass);
      if (session === null) return usedLinkPage(kind, base);
      const cookie = cookieOf(base, session.origin, session.token, session.expiresInMs);
      return new Response(null, { status: 303, headers: { location: base, 'set-cookie': cookie } });
    },
    /** Ends the session of a request. Returns the header that deletes its cookie. Null without a session. */
    async endSession(request: Request, framework: unknown, base: string): Promise<string | null> {
      const session = await readSession(request, framework);
      if (session === null) return null;
      const { token, host } = passOf(request, framework, session.token);
      await store.revoke({ token, host });
      return cookieOf(base, session.origin, '', 0);
    },
  };
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

/** Returns the host that the browser named. So a foreign name that resolves to this server is refused. */
export function hostOf({ headers, url }: Request): string {
  // HTTP/2 has no such header.
  return (headers.get('host') ?? new URL(url).host).toLowerCase();
}

/** The page of a link that works. Its button sends the link's own address. */
function linkPage(who: Child): PageContent {
  const body = (
    <section class="card">
      <p>{who} The button works once.</p>
      <form method="post">
        <p class="buttons">
          <button type="submit">Sign in</button>
        </p>
      </form>
    </section>
  );
  return { kind: 'page', title: 'Sign in', body };
}

/** The page of a link that was used, has expired or never worked. */
function usedLinkPage(kind: 'console' | 'portal', base: string): PageContent {
  const body = (
    <section class="card">
      <p>A link works once, and only for a few minutes. This one was used, or it has expired.</p>
      <p>
        If you have signed in, <a href={base}>open the {kind}</a>. Otherwise, {NEW_LINK[kind]}.
      </p>
    </section>
  );
  return { kind: 'page', title: 'This link does not work', body, status: 410 };
}
