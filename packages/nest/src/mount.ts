import type { HttpAdapterHost } from '@nestjs/core';
import type { OperatorError, PartnerHiring } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { moduleMisconfiguration } from './module-options.js';

type HttpAdapter = HttpAdapterHost['httpAdapter'];

/** The mounting of the API in Nest's HTTP server. */
export interface Mount {
  /**
   * Finishes mounting, before the server listens. Does nothing without an HTTP server.
   * @throws OperatorError `MISCONFIGURED` if the API cannot be mounted.
   */
  finish(): Promise<void>;
}

/**
 * Mounts the API as soon as Nest has an HTTP adapter. On Express it must come before the body parsers, which
 * `app.init()` adds. On Fastify, `finish` registers the plugin later, so that hooks of `main.ts` run before it.
 */
export function createMount(partnerHiring: PartnerHiring<never>, host: HttpAdapterHost): Mount {
  let mounted: HttpAdapter | null = null;
  let failure: unknown = null;

  function mountOnExpress(): void {
    const adapter = adapterOf(host);
    if (adapter?.getType() !== 'express') return;
    adapter.getInstance<Pick<ExpressLike, 'use'>>().use(partnerHiringExpress(partnerHiring));
    mounted = adapter;
  }

  if (adapterOf(host) !== null) mountOnExpress();
  else {
    // In a testing module, Nest sets the adapter after it has created the providers.
    host.init$?.subscribe(() => {
      try {
        mountOnExpress();
      } catch (error) {
        failure = error;
      }
    });
  }

  return {
    async finish() {
      if (failure !== null) throw failure;
      const adapter = adapterOf(host);
      if (adapter === null || adapter === mounted) return;
      mounted = adapter;
      await mountOnFastify(adapter, partnerHiring);
    },
  };
}

/** The used part of an Express application. */
interface ExpressLike {
  use(middleware: ReturnType<typeof partnerHiringExpress>): unknown;
}

/** The used part of a Fastify application. */
interface FastifyLike {
  readonly version?: string;
  register(plugin: ReturnType<typeof partnerHiringFastify>): PromiseLike<unknown>;
}

async function mountOnFastify(adapter: HttpAdapter, partnerHiring: PartnerHiring<never>): Promise<void> {
  const type = adapter.getType();
  if (type === 'express') throw moduleMisconfiguration(TOO_OLD);
  if (type !== 'fastify') throw unknownPlatform(type);
  const instance = adapter.getInstance<FastifyLike>();
  const { version = 'unknown' } = instance;
  if (!version.startsWith('5.')) throw wrongFastify(version);
  await instance.register(partnerHiringFastify(partnerHiring));
}

/** Returns null in a standalone application or a microservice, which has no HTTP adapter. */
function adapterOf(host: HttpAdapterHost): HttpAdapter | null {
  const adapter: HttpAdapter | null | undefined = host.httpAdapter;
  return adapter ?? null;
}

const TOO_OLD =
  'PartnerHiringModule needs @nestjs/core 11.1.4 or newer to mount the API in a testing module.';

function unknownPlatform(type: string): OperatorError {
  return moduleMisconfiguration(
    `PartnerHiringModule mounts the API on Express and Fastify, but this application runs on "${type}". ` +
      'Set `mount: false` and mount `partnerHiring.handler` or `partnerHiring.fetch` in your server.',
  );
}

function wrongFastify(version: string): OperatorError {
  return moduleMisconfiguration(
    `PartnerHiringModule needs Fastify 5, but this application runs on Fastify ${version}. ` +
      'Use @nestjs/platform-fastify 11 or newer, which brings its own Fastify 5.',
  );
}
