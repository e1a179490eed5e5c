import type { PortalRight, PortalVisit } from '@partner-hiring/core';
import { type AnswerRequest, createPagesApp } from '../http/pages-app.js';
import type { PublicPlace } from '../http/public-place.js';
import type { PageContent } from '../http/screen.js';
import { createLinkSignIn, type LinkSignIn } from '../link-sign-in/link-sign-in.js';
import { brandStyle } from './brand-style.js';
import type { CheckedPortalOptions } from './options.js';
import type { PortalCall, PortalScreen } from './portal-call.js';
import { readPortalActor, type SignedInActor } from './read-portal-actor.js';
import { hasAddress, SupportAddress } from './screens/support-link.js';

/** Creates the portal's pages of these screens. */
export function createPortalApp(
  options: CheckedPortalOptions,
  screens: readonly PortalScreen[],
): AnswerRequest {
  const { operator, brand, api, docs, support, signOut } = options;
  const links = linkSignInOf(options);
  return createPagesApp<SignedInActor, PortalCall, PortalRight>({
    options,
    screens,
    kind: 'portal',
    name: brand.name,
    isForStaff: false,
    isEmbedded: options.isEmbedded,
    brandStyle: brandStyle(brand),
    enter: (request, host) => readPortalActor(options, links, request, host),
    callOf: ({ session, madeBy, ...actor }, page) => {
      const own = operator.forPartner({ ...actor, session, madeBy });
      const may = (right: PortalRight) => actor.rights.includes(right);
      const seenDocs = docs === null ? null : page.place.addressOf(docs);
      return { ...page, own, actor, may, facts: { api, docs: seenDocs, support } };
    },
    whoIs: ({ name }) => (
      <>
        Signed in as <strong>{name}</strong>
      </>
    ),
    stranger: (place) => strangerPage(options, place),
    signIn: (request, host, { base }) => links.answerLink(request, host, base),
    canSignOut: ({ session }) => session !== undefined || signOut !== null,
    signOut: async (request, host, { base }) => {
      const cookie = await links.endSession(request, host, base);
      const toStart = new Response(null, { status: 303, headers: { location: base } });
      if (cookie === null) return (await signOut?.(request, host)) ?? toStart;
      toStart.headers.set('set-cookie', cookie);
      return toStart;
    },
  });
}

function linkSignInOf({ operator, origin, isEmbedded }: CheckedPortalOptions): LinkSignIn<PortalVisit> {
  return createLinkSignIn({
    kind: 'portal',
    store: operator.portal,
    origin,
    isEmbedded,
    whoSignsIn: ({ partnerName }) => (
      <>
        You sign in for <strong>{partnerName}</strong>.
      </>
    ),
  });
}

function strangerPage({ signInUrl, support }: CheckedPortalOptions, place: PublicPlace): PageContent {
  const body = (
    <section class="card">
      {signInUrl === null ? (
        <p>To sign in, open the link that you were sent. It works once, and only for a few minutes.</p>
      ) : (
        <p>
          <a href={place.addressOf(signInUrl)}>Sign in</a>, or open the link that you were sent.
        </p>
      )}
      {hasAddress(support) ? (
        <p>
          If you need a new link, ask <SupportAddress support={support} />.
        </p>
      ) : null}
    </section>
  );
  return { kind: 'page', title: 'You are not signed in', body, status: 401 };
}
