import { type Context, Hono } from 'hono';
import type { ConsoleActor } from '../actor.js';
import { findAsset } from '../assets/assets.js';
import { createGate } from '../gate/gate.js';
import { NothingHere } from '../gate/refusals.js';
import type { CheckedConsoleOptions } from '../options.js';
import { ConsolePage } from '../view/console-page.js';
import { errorPage, notFoundPage, pageOfError } from './error-pages.js';
import { fileResponse } from './file-response.js';
import { isOwnPost } from './is-own-post.js';
import { noNoticeCookie, noticeCookie, readNotice } from './notices.js';
import { readConsoleActor } from './read-actor.js';
import { addressOf, readFields, readForm } from './read-form.js';
import {
  type DownloadedFile,
  type ExportList,
  type LiveValues,
  maySee,
  type PageContent,
  type Redirection,
  type RunAction,
  type Screen,
  type ScreenCall,
} from './screen.js';
import { securityHeaders } from './security-headers.js';

interface ConsoleEnv {
  Bindings: { readonly host: unknown };
  Variables: { actor: ConsoleActor };
}

type ConsoleContext = Context<ConsoleEnv>;

/** Answers requests under the console's path. `host` is the framework's request. */
export type AnswerRequest = (request: Request, host: unknown) => Promise<Response>;

const ALLOWED = 'GET, HEAD, POST';
const REFUSALS = {
  400: 'The form could not be read. Send it again. If that does not help, another program reads forms before the console.',
  408: 'The form took too long.',
  413: 'The form is too large.',
  415: 'The console only reads forms.',
} as const;

/** Creates the pages of these screens. */
export function createConsoleApp(options: CheckedConsoleOptions, screens: readonly Screen[]): AnswerRequest {
  const { path, operator, frameAncestors, origin, signIn, signOut, signOutUrl } = options;
  const pathOf = (request: Request) => new URL(request.url).pathname.slice(path.length) || '/';
  const app = new Hono<ConsoleEnv>({ getPath: pathOf });

  app.use(securityHeaders(frameAncestors));
  if (signIn !== null) {
    app.all('/sign-in', async (context) => (await signIn(context.req.raw)) ?? context.text('Not found', 404));
  }
  app.use(async (context, next) => {
    const actor = await readConsoleActor(options, context.req.raw, context.env.host);
    // Nobody learns that there is a console.
    if (actor === null) return context.text('Not found', 404);
    context.set('actor', actor);
    return next();
  });
  // Strangers have already got a 404 at this point. Any other answer would tell them that there is a console.
  app.use(async (context, next) => {
    const { method } = context.req;
    if (ALLOWED.split(', ').includes(method)) return next();
    return context.text('Method not allowed', 405, { Allow: ALLOWED });
  });
  app.use(async (context, next) => {
    if (context.req.method !== 'POST' || isOwnPost(context.req.raw, origin)) return next();
    const text =
      'This form did not come from the console, so nothing was done. Open the page again and repeat it there.';
    return render(context, errorPage(403, 'Refused', text));
  });
  if (signOut !== null) {
    app.post('/sign-out', async (context) => signOut(context.req.raw, context.env.host));
  }
  app.get('/assets/:name', (context) => {
    const asset = findAsset(context.req.param('name'));
    if (asset === null) throw new NothingHere();
    return context.body(asset.text, 200, {
      'Content-Type': asset.type,
      'Cache-Control': 'private, max-age=31536000, immutable',
    });
  });

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
    return render(context, pageOfError(error, options, where));
  });

  function onPost(screen: Screen, route: string, run: RunAction | ExportList): void {
    app.post(route, async (context) => {
      assertMaySee(screen, context);
      const result = await readForm(context.req.raw);
      if ('status' in result) return context.text(REFUSALS[result.status], result.status);
      const form = readFields(result.params);
      const isConfirmed = form.text('confirmed') === 'yes';
      const done = await run({ ...callOf(context, form.text('reason')), form, isConfirmed });
      if (done.kind !== 'file') return answer(context, done);
      return fileResponse(done, (err) =>
        options.logger.error({ err, route }, 'An export of the console ended early.'),
      );
    });
  }

  function assertMaySee(screen: Screen, context: ConsoleContext): void {
    const { rights } = context.get('actor');
    if (!maySee(screen, (right) => rights.includes(right))) throw new NothingHere();
  }

  function callOf(context: ConsoleContext, reason: string | null): ScreenCall {
    const actor = context.get('actor');
    const gate = createGate(operator, actor, reason);
    const { api = null, docs = null, support = null } = options.handOver;
    const at: ScreenCall['at'] = (to, query) => addressOf(`${path}${to === '/' ? '' : to}`, query);
    return {
      gate,
      actor,
      at,
      handOver: { api, docs, support },
      param: (name) => context.req.param(name) ?? '',
      query: readFields(new URL(context.req.url).searchParams),
      here: new URL(context.req.url).pathname,
      link: (name, to, query) => {
        const screen = screens.find((one) => one.name === name);
        return screen !== undefined && maySee(screen, gate.may) ? at(`${screen.path}${to}`, query) : null;
      },
    };
  }

  function answer(
    context: ConsoleContext,
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
      context.header('Set-Cookie', noticeCookie(result.notice, path, isSecure), { append: true });
    }
    return context.redirect(result.to, 303);
  }

  function render(context: ConsoleContext, page: PageContent): Response | Promise<Response> {
    // An error page may come before the actor is known.
    const actor = (context.get('actor') as ConsoleActor | undefined) ?? null;
    const kept = readNotice(context.req.raw);
    if (kept !== null) context.header('Set-Cookie', noNoticeCookie(path), { append: true });
    const seen =
      actor === null ? [] : screens.filter((one) => maySee(one, (right) => actor.rights.includes(right)));
    // A page without a link of its own belongs to the page above it.
    const here = new URL(context.req.url).pathname;
    const { within } = screens.find(({ path: to }) => here.startsWith(`${path}${to}/`)) ?? {};
    const places = [
      here,
      page.crumbs?.[0]?.href ?? '',
      ...(within === undefined ? [] : [`${path}${within}`]),
    ];
    return context.html(
      <ConsolePage
        page={page}
        notice={kept}
        actor={actor}
        path={path}
        signOut={signOutUrl ?? (signOut === null ? null : { action: `${path}/sign-out` })}
        links={seen.flatMap(({ label, path: to }) => {
          if (label === null) return [];
          const href = to === '/' ? path : `${path}${to}`;
          const isCurrent = places.some((at) =>
            to === '/' ? at === path || at === `${path}/` : at === href || at.startsWith(`${href}/`),
          );
          return [{ label, href, isCurrent }];
        })}
      />,
      page.status ?? 200,
    );
  }

  return async (request, host) => app.fetch(request, { host });
}
