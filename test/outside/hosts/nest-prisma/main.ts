import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type PartnerHiring, stopOnSignals } from '@partner-hiring/core';
import { PARTNER_HIRING } from '@partner-hiring/nest';
import type { PostgresTransaction } from '@partner-hiring/postgres';
import { AppModule } from './app.module.js';
import { seed } from './seed.js';

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
await app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
const partnerHiring = app.get<PartnerHiring<PostgresTransaction>>(PARTNER_HIRING);
stopOnSignals({ partnerHiring, server: app });
await seed(partnerHiring);
console.log(
  `Candidates: ${await app.getUrl()}/candidates. Partner API: ${await app.getUrl()}/api/v1/external`,
);
