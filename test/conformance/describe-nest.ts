import type { AbstractHttpAdapter } from '@nestjs/core';
import { NestFactory } from '@nestjs/core';
import { describeHttp } from '@partner-hiring/conformance';
import { PartnerHiringModule } from '@partner-hiring/nest';
import { fakePartnerHiring, listenOn, rootModule } from '@partner-hiring/test-support/servers/nest-server';
import { openStorage } from './open-storage.js';

/** Runs the HTTP suite on a Nest application, which `main.ts` would create in the same way. */
export function describeNest(name: string, createAdapter: () => AbstractHttpAdapter): void {
  describeHttp(name, {
    openStorage,
    serve: async (api) => {
      const imports = [PartnerHiringModule.forRoot({ partnerHiring: fakePartnerHiring(api) })];
      const options = { logger: false, abortOnError: false, forceCloseConnections: true } as const;
      const app = await NestFactory.create(rootModule({ imports }), createAdapter(), options);
      return { port: await listenOn(app), close: () => app.close() };
    },
  });
}
