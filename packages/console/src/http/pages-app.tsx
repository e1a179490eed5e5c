import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type ConsoleAsset, findAsset } from '../assets/assets.js';
import { NOTICES_OF_FEATURES } from '../features/features.js';
import { NothingHere } from '../gate/refusals.js';
import type { PagesOptions } from '../options.js';
import { ConsolePage } from '../view/page.js';
import { errorPage, notFoundPage, pageOfError } from './error-pages.js';
import { fileResponse } from './file-response.js';
import { isFromOrigin, isSameOriginPost } from './is-same-origin-post.js';
import { noNoticeCookie, noticeCookie, readNotice } from './notices.js';
import { createPlaceReader, type PublicPlace } from './public-place.js';
import { addressOf, readFields, readForm } from './read-form.js';
import {
  type DownloadedFile,
  type ExportList,
  type LiveValues,
  maySee,
  type PageCall,
  type PageContent,
  type Redirection,
  type RunAction,
  type Screen,
} from './screen.js';
import { securityHeaders } from './security-headers.js';

interface PagesEnv<Actor> {
  Bindings: { readonly host: unknown };
  Variables: { actor: Actor | null; place: PublicPlace };
}

/** Answers requests under a path. `host` is the framework's request. */
export type AnswerRequest = (request: Request, host: unknown) => Promise<Response>;

/** Somebody who has rights. */
interface Holder<Right> {
  readonly rights: readonly Right[];
}

/** The screens of the console or of the portal, and who may see them. */
export interface Pages<Actor extends Holder<Right>, Call extends PageCall, Right extends string> {
  readonly options: PagesOptions;
  readonly screens: readonly Screen<Call, Right>[];
  /** `console` or `portal`, for messages. */
  readonly kind: 'console' | 'portal';
  /** The name in the header and in the titles of windows. */
  readonly name: string;
  /** Says who sent a request. Null for a stranger. */
  enter(request: Request, host: unknown): Promise<Actor | null>;
  /** @param reason - why the actor acts. Null for no reason. */
  callOf(actor: Actor, page: PageCall, reason: string | null): Call;
  /** Says who is signed in. */
  whoIs(actor: Actor): Child;
  /** Answers a stranger. By default, with 404, as if there were nothing. */
  readonly stranger?: ((place: PublicPlace) => PageContent) | undefined;
  /** Answers requests to `/sign-in`. A page is shown as a stranger sees it. Null answers 404. */
  readonly signIn?:
    | ((request: Request, host: unknown, place: PublicPlace) => Promise<Response | PageContent | null>)
    | undefined;
  /** Ends the session of the actor. By default, every actor has one. */
  readonly signOut?: ((request: Request, host: unknown, place: PublicPlace) => Promise<Response>) | undefined;
  readonly canSignOut?: ((actor: Actor) => boolean) | undefined;
  /** Whether acts take a reason, and pages have a search box. */
  readonly isForStaff: boolean;
  /** Whether pages of another origin show these pages in a frame. */
  readonly isEmbedded: boolean;
  /** A style sheet after the common one. */
  readonly brandStyle?: ConsoleAsset | undefined;
}

const ALLOWED = 'GET, HEAD, POST';

/** Creates the pages. */
export function createPagesApp<Actor extends Holder<Right>, Call extends PageCall, Right extends string>(
  pages: Pages<Actor, Call, Right>,
): AnswerRequest {
  type PagesContext = Context<PagesEnv<Actor>>;
  const { options, screens, kind, signIn, signOut, stranger, isEmbedded, brandStyle } = pages;
  const { path, frameAncestors, origin, signOutUrl } = options;
  const pathOf = (request: Request) => new URL(request.url).pathname.slice(path.length) || '/';
  const app = new Hono<PagesEnv<Actor>>({ getPath: pathOf });
  const mayOf = (actor: Actor) => (right: Right) => actor.rights.includes(right);
  const placeOf = createPlaceReader(options);
  const isOwn = (request: Request) =>
    isEmbedded
      ? isFromOrigin(request, origin ?? new URL(request.url).origin)
      : isSameOriginPost(request, origin);
  /** The path of a page as browsers see it. */
  const hereOf = (context: PagesContext) =>
    `${context.get('place').base}${new URL(context.req.url).pathname.slice(path.length)}`;

  app.use(async (context, next) => {
    context.set('place', placeOf(context.req.raw, context.env.host));
    await next();
  });
  app.use('/sign-in', async (context, next) => {
    await next();
    // The address has the token of a link. The policy keeps it out of `Referer`, and `Origin` in the form.
    context.res.headers.set('referrer-policy', 'strict-origin');
  });
  app.use(securityHeaders(frameAncestors));
  // Only pages that strangers may see have something to show them.
  if (stranger !== undefined) app.get('/assets/:name', sendAsset);
  if (signIn !== undefined) {
    app.all('/sign-in', async (context) => {
      const found = await signIn(context.req.raw, context.env.host, context.get('place'));
      const answered = found ?? context.text('Not found', 404);
      return 'headers' in answered ? answered : render(context, answered);
    });
  }
  app.use(async (context, next) => {
    const refusal = await enter(context, context.req.raw);
    return refusal ?? next();
  });
  // Strangers have already got their answer at this point. Any other one would tell them that there is something.
  app.use(async (context, next) => {
    const { method } = context.req;
    if (ALLOWED.split(', ').includes(method)) return next();
    return context.text('Method not allowed', 405, { Allow: ALLOWED });
  });
  app.use(async (context, next) => {
    if (context.req.method !== 'POST' || isOwn(context.req.raw)) return next();
    const text = `This form did not come from the ${kind}, so nothing was done. Open the page again and repeat it there.`;
    return render(context, errorPage(403, 'Refused', text));
  });
  if (signOut !== undefined) {
    app.post('/sign-out', async ({ req, env, get }) => signOut(req.raw, env.host, get('place')));
  }
  app.get('/assets/:name', sendAsset);

  for (const screen of screens) {
    for (const [route, show] of Object.entries(screen.pages)) {
      app.get(route, async (context) => {
        assertMaySee(screen, context);
        return answer(context, await show(callOf(context, null)));
      });
      if (show.csv !== undefined) onPost(screen, `${route}.csv`, show.csv);
    }
    for (const [route, run] of Object.entries(screen.actions ?? {})) onPost(screen, route, run);
  }
  app.notFound((context) => render(context, notFoundPage()));
  app.onError((error, context) => {
    const where = { method: context.req.method, route: context.req.routePath };
    return render(context, pageOfError(error, { ...options, kind }, where));
  });

  /** Sets the actor. Returns the answer to a stranger. */
  async function enter(context: PagesContext, request: Request): Promise<Response | null> {
    const actor = await pages.enter(request, context.env.host);
    context.set('actor', actor);
    if (actor !== null) return null;
    // By default, the answer does not tell a stranger that these pages exist.
    if (stranger === undefined) return context.text('Not found', 404);
    return render(context, stranger(context.get('place')));
  }

  function sendAsset(context: PagesContext): Response {
    const name = context.req.param('name') ?? '';
    const asset = name === brandStyle?.name ? brandStyle : findAsset(name);
    if (asset === null) throw new NothingHere();
    return context.body(asset.text, 200, {
      'Content-Type': asset.type,
      'Cache-Control': 'private, max-age=31536000, immutable',
    });
  }

  function onPost(screen: Screen<Call, Right>, route: string, run: RunAction<Call> | ExportList<Call>): void {
    app.post(route, async (context) => {
      assertMaySee(screen, context);
      const { url, method, headers } = context.req.raw;
      const result = await readForm(context.req.raw);
      if ('status' in result) return context.text(refusalOf(result.status, kind), result.status);
      // While the form arrived, the actor may have lost a right, or the session may have ended.
      const refusal = await enter(context, new Request(url, { method, headers }));
      if (refusal !== null) return refusal;
      assertMaySee(screen, context);
      const form = readFields(result.params);
      const isConfirmed = form.text('confirmed') === 'yes';
      const done = await run({ ...callOf(context, form.text('reason')), form, isConfirmed });
      if (done.kind !== 'file') return answer(context, done);
      return fileResponse(done, (err) =>
        options.logger.error({ err, route }, `An export of the ${kind} ended early.`),
      );
    });
  }

  function assertMaySee(screen: Screen<Call, Right>, context: PagesContext): void {
    if (!maySee(screen, mayOf(actorOf(context)))) throw new NothingHere();
  }

  /** Strangers have got their answer before. */
  function actorOf(context: PagesContext): Actor {
    const actor = context.get('actor');
    if (actor === null) throw new NothingHere();
    return actor;
  }

  function callOf(context: PagesContext, reason: string | null): Call {
    const actor = actorOf(context);
    const place = context.get('place');
    const at: PageCall['at'] = (to, query) => addressOf(`${place.base}${to === '/' ? '' : to}`, query);
    const page: PageCall = {
      at,
      takesReasons: pages.isForStaff,
      param: (name) => context.req.param(name) ?? '',
      query: readFields(new URL(context.req.url).searchParams),
      here: hereOf(context),
      place,
      link: (name, to, query) => {
        const screen = screens.find((one) => one.name === name);
        return screen !== undefined && maySee(screen, mayOf(actor)) ? at(`${screen.path}${to}`, query) : null;
      },
    };
    return pages.callOf(actor, page, reason);
  }

  function answer(
    context: PagesContext,
    result: PageContent | Redirection | LiveValues | DownloadedFile,
  ): Response | Promise<Response> {
    if (result.kind === 'live') return context.json(result.values);
    if (result.kind === 'page') return render(context, result);
    if (result.kind === 'json') {
      return context.body(result.text, 200, {
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="${result.name}"`,
      });
    }
    if (result.notice !== undefined) {
      const isSecure = (origin ?? context.req.url).startsWith('https:');
      const { base } = context.get('place');
      const cookie = noticeCookie(result.notice, base, { isSecure, isEmbedded });
      context.header('Set-Cookie', cookie, { append: true });
    }
    return context.redirect(result.to, 303);
  }

  function render(context: PagesContext, page: PageContent): Response | Promise<Response> {
    // An error page may come before the actor is known.
    const actor = context.get('actor') ?? null;
    const kept = readNotice(context.req.raw, NOTICES_OF_FEATURES);
    const { base } = context.get('place');
    if (kept !== null) context.header('Set-Cookie', noNoticeCookie(base, isEmbedded), { append: true });
    const seen = actor === null ? [] : screens.filter((one) => maySee(one, mayOf(actor)));
    // A page without a link of its own belongs to the page above it.
    const here = hereOf(context);
    const { within } = screens.find(({ path: to }) => here.startsWith(`${base}${to}/`)) ?? {};
    const places = [
      here,
      page.crumbs?.[0]?.href ?? '',
      ...(within === undefined ? [] : [`${base}${within}`]),
    ];
    return context.html(
      <ConsolePage
        page={page}
        notice={kept}
        name={pages.name}
        who={actor === null ? null : pages.whoIs(actor)}
        base={base}
        hasSearch={pages.isForStaff}
        brandStyle={brandStyle?.name ?? null}
        signOut={signOutOf(context, actor)}
        links={seen.flatMap(({ label, path: to }) => {
          if (label === null) return [];
          const href = to === '/' ? base : `${base}${to}`;
          const isCurrent = places.some((at) =>
            to === '/' ? at === base || at === `${base}/` : at === href || at.startsWith(`${href}/`),
          );
          return [{ label, href, isCurrent }];
        })}
      />,
      page.status ?? 200,
    );
  }

  function signOutOf(
    context: PagesContext,
    actor: Actor | null,
  ): string | { readonly action: string } | null {
    const place = context.get('place');
    const page = signOutUrl === null ? null : place.addressOf(signOutUrl);
    if (actor !== null && pages.canSignOut?.(actor) === false) return page;
    return page ?? (signOut === undefined ? null : { action: `${place.base}/sign-out` });
  }

  return async (request, host) => app.fetch(request, { host });
}

function refusalOf(status: 400 | 408 | 413 | 415, kind: 'console' | 'portal'): string {
  if (status === 408) return 'The form took too long.';
  if (status === 413) return 'The form is too large.';
  if (status === 415) return `The ${kind} only reads forms.`;
  return `The form could not be read. Submit it again. If that does not help, another program reads forms before the ${kind}.`;
}
