import { Inject, Injectable } from '@nestjs/common';
import type { ApplicationId, Operator, Worker } from '@partner-hiring/core';
import { InjectOperator, InjectWorker } from '@partner-hiring/nest';
import type { PostgresTransaction } from '@partner-hiring/postgres';
import { fromPrisma } from '@partner-hiring/postgres/prisma';
import { Database } from './database.js';

@Injectable()
export class Hiring {
  constructor(
    @Inject(Database) private readonly database: Database,
    @InjectOperator() private readonly operator: Operator<PostgresTransaction>,
    @InjectWorker() private readonly worker: Worker,
  ) {}

  /** Hires a candidate. The platform's row and the partner's webhook commit together. */
  async hire(id: ApplicationId): Promise<void> {
    await this.database.$transaction(async (tx) => {
      await tx.candidate.update({ where: { applicationId: id }, data: { status: 'hired' } });
      const { applications } = this.operator.within(fromPrisma(tx));
      await applications.move({ id });
      await applications.decide({ id, decision: 'accepted' });
    });
    this.worker.wake();
  }
}
