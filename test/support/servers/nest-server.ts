import type { AddressInfo } from 'node:net';
import type { DynamicModule, INestApplication, NestApplicationOptions, Type } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Handler, PartnerHiring, Worker } from '@partner-hiring/core';
import { onTestFinished } from 'vitest';

/** The supported platforms of Nest. */
export const PLATFORMS: readonly (readonly [string, () => AbstractHttpAdapter])[] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter({ forceCloseConnections: true })],
];

/** Calls of the worker and of `close`, in order. */
export interface FakePartnerHiring extends PartnerHiring<unknown> {
  readonly calls: string[];
}

/** A partner API with this handler, whose worker and storage only record calls. */
export function fakePartnerHiring(
  { handler }: { readonly handler: Handler },
  changes: Partial<PartnerHiring<unknown>> = {},
): FakePartnerHiring {
  const calls: string[] = [];
  const worker: Pick<Worker, 'start' | 'state'> = {
    start: () => void calls.push('worker.start'),
    state: () => 'running',
  };
  const isStopping = () => false;
  const close = async () => void calls.push('close');
  return { handler, worker, isStopping, close, ...changes, calls } as FakePartnerHiring;
}

/** Creates an application that does not log, and throws instead of ending the process. */
export async function createNestApp(
  root: DynamicModule | Type<unknown>,
  adapter: AbstractHttpAdapter,
  options: NestApplicationOptions = {},
): Promise<INestApplication> {
  const app = await NestFactory.create(root, adapter, { logger: false, abortOnError: false, ...options });
  onTestFinished(() => app.close());
  return app;
}

/** A root module with these imports. */
export function rootModule(parts: Omit<DynamicModule, 'module'>): DynamicModule {
  class RootModule {}
  return { module: RootModule, ...parts };
}

/** Listens on the loopback; resolves with the port. */
export async function listenOn(app: INestApplication): Promise<number> {
  await app.listen(0, '127.0.0.1');
  return (app.getHttpServer().address() as AddressInfo).port;
}
