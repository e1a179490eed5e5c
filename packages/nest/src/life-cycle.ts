import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { OperatorError, type PartnerHiring } from '@partner-hiring/core';
import type { PartnerHiringModuleSettings } from './module-options.js';
import { PARTNER_HIRING } from './module-options.js';
import type { Mount } from './mount.js';

/** The token of the mount. */
export const MOUNT = Symbol('PartnerHiringMount');

/** The hooks that Nest calls when the application starts and closes. */
export interface LifeCycle extends OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  onModuleInit(): Promise<void>;
  onApplicationShutdown(): Promise<void>;
}

/**
 * Mounts the API, starts the worker last, and closes the partner API after the HTTP server. Looks the providers up only
 * when Nest calls a hook. If they were injected and one was request-scoped, Nest would skip the hooks.
 */
export function createLifeCycle(
  moduleRef: ModuleRef,
  { mount = true, startWorker = true }: PartnerHiringModuleSettings,
): LifeCycle {
  let closing: Promise<void> | undefined;
  return {
    async onModuleInit() {
      lookUp<PartnerHiring<never>>(moduleRef, PARTNER_HIRING);
      if (mount) await lookUp<Mount>(moduleRef, MOUNT).finish();
    },
    onApplicationBootstrap() {
      if (startWorker) lookUp<PartnerHiring<never>>(moduleRef, PARTNER_HIRING).worker.start();
    },
    onApplicationShutdown() {
      closing ??= lookUp<PartnerHiring<never>>(moduleRef, PARTNER_HIRING).close();
      return closing;
    },
  };
}

function lookUp<Value>(moduleRef: ModuleRef, token: symbol): Value {
  try {
    return moduleRef.get<Value>(token, { strict: false });
  } catch (cause) {
    throw new OperatorError(
      'MISCONFIGURED',
      'PartnerHiringModule cannot use a request-scoped or transient provider, because the partner API lives as long as ' +
        'the application. Inject only singletons into `useFactory`.',
      { cause },
    );
  }
}
