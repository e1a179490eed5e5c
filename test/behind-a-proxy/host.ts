import type { AddressInfo } from 'node:net';
import { type Console, createConsole, createOneTimeLogin } from '@partner-hiring/console';
import { createPartnerPortal, type PartnerPortal } from '@partner-hiring/console/portal';
import { PORTAL_RIGHTS } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createPartnerDocs, type PartnerDocs } from '@partner-hiring/partner-docs';
import express from 'express';
import Fastify from 'fastify';
import { listen } from '../conformance/listen.js';
import { ADMIN, type Platform } from '../console/platform.js';

/** How the host knows where browsers see it. */
export type Way = 'by the header' | 'by publicPath' | 'by its own paths';

/** The prefix that browsers see. */
export const PREFIX = '/hiring';

/** A host that listens, with everything of the library. */
export interface ProxiedHost {
  readonly port: number;
  /** Signs in to the console, once. */
  readonly consoleLink: string;
  /** Signs in to the portal, once. */
  readonly portalLink: string;
  close(): Promise<void>;
}

interface Parts {
  readonly platform: Platform;
  readonly docs: PartnerDocs;
  readonly partnerConsole: Console;
  readonly portal: PartnerPortal;
  /** Under which the host mounts the API and the documentation. */
  readonly prefix: string;
}

export type Server = (parts: Parts) => Promise<Pick<ProxiedHost, 'port' | 'close'>>;

/** Trusts a proxy on this machine. */
export const SERVERS: Readonly<Record<string, Server>> = {
  Express: ({ platform, docs, partnerConsole, portal, prefix }) => {
    const app = express().set('trust proxy', 'loopback');
    for (const part of [platform.fixture.partnerHiring, docs]) {
      app.use(prefix === '' ? '/' : prefix, partnerHiringExpress(part));
    }
    return listen(app.use(partnerConsole.node, portal.node));
  },
  Fastify: async ({ platform, docs, partnerConsole, portal, prefix }) => {
    const app = Fastify({ trustProxy: '127.0.0.1', forceCloseConnections: true });
    for (const part of [platform.fixture.partnerHiring, docs]) {
      await app.register(partnerHiringFastify(part), { prefix });
    }
    await app.register(partnerConsole.fastify);
    await app.register(portal.fastify);
    await app.listen({ host: '127.0.0.1', port: 0 });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  },
};

/** Serves API, console, portal and documentation. `front` is the origin of the proxy. */
export async function startHost(
  platform: Platform,
  { serve, way, front }: { readonly serve: Server; readonly way: Way; readonly front: string },
): Promise<ProxiedHost> {
  const { operator } = platform.fixture;
  const isOwn = way === 'by its own paths';
  const publicPath = way === 'by publicPath' ? PREFIX : undefined;
  const ownPrefix = isOwn ? PREFIX : '';
  const login = createOneTimeLogin({ actor: ADMIN, path: `${ownPrefix}/console` });
  const { actor, signIn, signOut, path } = login;
  const { port, close } = await serve({
    platform,
    prefix: ownPrefix,
    docs: createPartnerDocs({ origin: front, sandbox: true, publicPath: isOwn ? PREFIX : publicPath }),
    partnerConsole: createConsole({ operator, actor, signIn, signOut, path, publicPath }),
    portal: createPartnerPortal({
      operator,
      path: `${ownPrefix}/portal`,
      publicPath,
      docs: `${ownPrefix}/partner-docs`,
    }),
  });
  const { link } = await operator.portal.createLink({
    partnerId: platform.acme.partnerId,
    rights: PORTAL_RIGHTS,
    url: `${front}${PREFIX}/portal`,
  });
  return {
    port,
    consoleLink: login.createLink(isOwn ? front : `${front}${PREFIX}`),
    portalLink: link,
    close,
  };
}
