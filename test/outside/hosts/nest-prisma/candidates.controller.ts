import { Controller, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import type { ApplicationId } from '@partner-hiring/core';
import { Database } from './database.js';
import { Hiring } from './hiring.js';
import { StaffGuard } from './staff.guard.js';

@Controller('candidates')
@UseGuards(StaffGuard)
export class CandidatesController {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Hiring) private readonly hiring: Hiring,
  ) {}

  @Get()
  list() {
    return this.database.candidate.findMany();
  }

  @Post(':id/hire')
  @HttpCode(204)
  hire(@Param('id') id: ApplicationId): Promise<void> {
    return this.hiring.hire(id);
  }
}
