import { Module } from '@nestjs/common';
import { PartnerHiringModule } from '@partner-hiring/nest';
import { CandidatesController } from './candidates.controller.js';
import { Database, DatabaseModule } from './database.js';
import { Hiring } from './hiring.js';
import { openPartnerApi } from './partner-api.js';

@Module({
  imports: [
    DatabaseModule,
    // Importing the database's module here keeps its connections open until the worker has stopped.
    PartnerHiringModule.forRootAsync({
      imports: [DatabaseModule],
      inject: [Database],
      useFactory: openPartnerApi,
    }),
  ],
  controllers: [CandidatesController],
  providers: [Hiring],
})
export class AppModule {}
