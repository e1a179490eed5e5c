import { Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

/** The platform's own tables. The library's tables are in another schema of the same database. */
@Injectable()
export class Database extends PrismaClient implements OnModuleInit, OnModuleDestroy {
  constructor() {
    super({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL ?? '' }) });
  }

  async onModuleInit(): Promise<void> {
    await this.$executeRaw`
      create table if not exists candidate (application_id text primary key, name text not null, status text not null)`;
  }

  async onModuleDestroy(): Promise<void> {
    await this.$disconnect();
  }
}

@Module({ providers: [Database], exports: [Database] })
export class DatabaseModule {}
