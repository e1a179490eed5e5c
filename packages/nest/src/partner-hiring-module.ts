import {
  type DynamicModule,
  type FactoryProvider,
  Module,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { OperatorError, type PartnerHiring } from '@partner-hiring/core';
import {
  checkModuleAsyncOptions,
  checkModuleOptions,
  checkPartnerHiring,
  PARTNER_HIRING,
  PARTNER_HIRING_OPERATOR,
  PARTNER_HIRING_WORKER,
  type PartnerHiringModuleAsyncOptions,
  type PartnerHiringModuleOptions,
  type PartnerHiringModuleSettings,
} from './module-options.js';
import { createMount, type Mount } from './mount.js';
import { PartnerHiringHealth } from './partner-hiring-health.js';

/**
 * Mounts the partner API in a Nest application on Express or Fastify, starts the worker and closes both. Import
 * it once, in your root module. All modules can then inject the operator, the worker and
 * `PartnerHiringHealth`. The API is served under its own base path. Your global prefix, versioning, guards,
 * pipes, interceptors and filters do not apply to it.
 */
// biome-ignore lint/complexity/noStaticOnlyClass: Nest identifies a module by its class.
export class PartnerHiringModule {
  /**
   * Takes a partner API that exists already.
   * @throws OperatorError `MISCONFIGURED` if an option is unknown or invalid.
   * @example
   * ```ts
   * PartnerHiringModule.forRoot({ partnerHiring, startWorker: false });
   * ```
   */
  static forRoot<HostTx>(options: PartnerHiringModuleOptions<HostTx>): DynamicModule {
    checkModuleOptions(options);
    return moduleOf(options, { inject: [], useFactory: () => options.partnerHiring });
  }

  /**
   * Creates the partner API in a factory, with injected configuration or a database pool. Nest waits for the
   * factory before it starts the application.
   * @throws OperatorError `MISCONFIGURED` if an option is unknown or invalid.
   * @example
   * ```ts
   * PartnerHiringModule.forRootAsync({
   *   inject: [MyConfig],
   *   useFactory: async (config: MyConfig) =>
   *     createPartnerHiring({
   *       storage: await createSqliteStorage({ file: config.databaseFile }),
   *       secretKey: config.secretKey,
   *     }),
   * });
   *
   * declare class MyConfig {
   *   readonly databaseFile: string;
   *   readonly secretKey: string;
   * }
   * ```
   */
  static forRootAsync<HostTx>(options: PartnerHiringModuleAsyncOptions<HostTx>): DynamicModule {
    checkModuleAsyncOptions(options);
    const { imports = [], inject = [] } = options;
    const create = options.useFactory as (...injected: readonly unknown[]) => MaybePromise<HostTx>;
    const useFactory = async (...injected: readonly unknown[]) => {
      const partnerHiring = await create(...injected);
      checkPartnerHiring('`useFactory` of PartnerHiringModule.forRootAsync', partnerHiring);
      return partnerHiring;
    };
    return moduleOf(options, { inject, useFactory }, imports);
  }
}

Module({})(PartnerHiringModule);

type MaybePromise<HostTx> = PartnerHiring<HostTx> | Promise<PartnerHiring<HostTx>>;

/**
 * Provides the partner API to all modules. It is apart from `PartnerHiringModule`, because Nest destroys global
 * modules last. The partner API must close before the database pools of the host.
 */
class PartnerHiringGlobals {}

Module({})(PartnerHiringGlobals);

type Source = Pick<FactoryProvider, 'inject' | 'useFactory'>;

function moduleOf(
  settings: PartnerHiringModuleSettings,
  source: Source,
  imports: ModuleMetadata['imports'] = [],
): DynamicModule {
  const { mount = true } = settings;
  const mounting: FactoryProvider = {
    provide: MOUNT,
    inject: [PARTNER_HIRING, HttpAdapterHost],
    useFactory: createMount,
  };
  const lifeCycle: FactoryProvider = {
    provide: Symbol('PartnerHiringLifeCycle'),
    inject: [ModuleRef],
    useFactory: (moduleRef: ModuleRef) => createLifeCycle(moduleRef, settings),
  };
  return {
    module: PartnerHiringModule,
    imports: [globals(source, imports)],
    providers: [...(mount ? [mounting] : []), lifeCycle],
  };
}

function globals(source: Source, imports: ModuleMetadata['imports']): DynamicModule {
  const from = (provide: FactoryProvider['provide'], pick: (api: PartnerHiring<never>) => unknown) => ({
    provide,
    inject: [PARTNER_HIRING],
    useFactory: pick,
  });
  const providers = [
    { provide: PARTNER_HIRING, ...source },
    from(PARTNER_HIRING_OPERATOR, ({ operator }) => operator),
    from(PARTNER_HIRING_WORKER, ({ worker }) => worker),
    from(PartnerHiringHealth, (partnerHiring) => new PartnerHiringHealth(partnerHiring)),
  ];
  return {
    module: PartnerHiringGlobals,
    global: true,
    imports: imports ?? [],
    providers,
    exports: providers.map(({ provide }) => provide),
  };
}

/** The token of the mount. */
const MOUNT = Symbol('PartnerHiringMount');

/** The hooks that Nest calls when the application starts and closes. */
interface LifeCycle extends OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  onModuleInit(): Promise<void>;
  onApplicationShutdown(): Promise<void>;
}

/**
 * Mounts the API, starts the worker last, and closes the partner API after the HTTP server. Looks the providers up only
 * when Nest calls a hook. If they were injected and one was request-scoped, Nest would skip the hooks.
 */
function createLifeCycle(
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
