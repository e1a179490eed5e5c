/** Serves the API in a Nest application on Express and on Fastify, without decorators. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createPartnerHiring } from '@partner-hiring/core';
import { PARTNER_HIRING_OPERATOR, PartnerHiringHealth, PartnerHiringModule } from '@partner-hiring/nest';
import { createSqliteStorage } from '@partner-hiring/sqlite';

class RootModule {}

async function start(file: string, adapter: AbstractHttpAdapter): Promise<INestApplication> {
  const partnerApi = PartnerHiringModule.forRootAsync({
    useFactory: async () =>
      createPartnerHiring({
        storage: await createSqliteStorage({ file }),
        secretKey: '0123456789abcdef'.repeat(4),
      }),
  });
  const root = { module: RootModule, imports: [partnerApi] };
  const app = await NestFactory.create(root, adapter, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

/** Returns how the API and the health check answer, and that the storage is closed with the application. */
async function visit(app: INestApplication): Promise<string> {
  const response = await fetch(`${await app.getUrl()}/api/v1/external/jobs`);
  const { error } = (await response.json()) as { error: string };
  const health = await app.get(PartnerHiringHealth).check();
  const operator = app.get(PARTNER_HIRING_OPERATOR) as { keys: { list(): Promise<unknown> } };
  await app.close();
  const isClosed = await operator.keys.list().then(
    () => false,
    () => true,
  );
  return `${error} ${health.partner_hiring.status} ${isClosed}`;
}

async function main(folder: string): Promise<string> {
  const expected = 'UNAUTHORIZED up true';
  for (const adapter of [new ExpressAdapter(), new FastifyAdapter()]) {
    const type = adapter.getType();
    const found = await visit(await start(join(folder, `${type}.sqlite`), adapter));
    if (found !== expected) throw new Error(`Nest on ${type} answers ${found}, not ${expected}.`);
  }
  return 'Nest serves the API on Express and on Fastify, and closes it';
}

const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-nest-'));
main(folder)
  .then(
    (story) => console.log(`    ${story}`),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  )
  .finally(() => rmSync(folder, { recursive: true, force: true }));
