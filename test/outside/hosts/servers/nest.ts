/** A host on Nest, on the platform in NEST_PLATFORM. `partner-hiring.ts` is the program of docs/quick-start-host.md. */
import 'reflect-metadata';
import type { ServerResponse } from 'node:http';
import { Body, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { PartnerHiringModule } from '@partner-hiring/nest';
import { early, OWN } from './own.js';
import { partnerConsole, portal } from './pages.js';
import { partnerHiring } from './partner-hiring.js';

@Controller()
class HostController {
  @Get('own')
  own() {
    return OWN['/own']?.();
  }

  @Get('slow')
  slow() {
    return OWN['/slow']?.();
  }

  @Get('broken')
  broken() {
    return OWN['/broken']?.();
  }

  @Post('own')
  @HttpCode(200)
  echo(@Body() body: unknown) {
    return body;
  }
}

@Module({
  imports: [PartnerHiringModule.forRootAsync({ useFactory: () => partnerHiring })],
  controllers: [HostController],
})
class AppModule {}

const adapter = process.env.NEST_PLATFORM === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
app.use('/early', async (_request: unknown, response: ServerResponse) => response.end(await early()));
app.use(partnerConsole.node);
app.use(portal.node);
await app.listen(Number(process.env.PORT), '127.0.0.1');
