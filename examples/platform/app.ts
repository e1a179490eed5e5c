import { type ApplicationId, type JobId, OperatorError } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { type HireOrder, hire } from './hire.js';
import type { Platform } from './platform.js';
import { type NewOpening, publishOpening } from './publish-opening.js';
import { requireStaff } from './require-staff.js';
import { screen } from './screen.js';

/**
 * The platform's web application. Its own routes are for staff. They have no validation, because this example is about
 * transactions.
 */
export function createApp(platform: Platform, staffToken: string): Express {
  const app = express();
  // The partner API comes before the body parser, because it needs the raw bytes of the body.
  app.use(partnerHiringExpress(platform.partnerHiring));
  app.use(requireStaff(staffToken));
  app.use(express.json());

  app.post('/openings', async (request, response) => {
    await publishOpening(platform, request.body as NewOpening);
    response.status(201).end();
  });
  app.get('/openings/:id/applications', async (request, response) => {
    const { applications } = platform.partnerHiring.operator;
    response.json(await applications.list({ jobId: request.params.id as JobId }));
  });
  app.post('/applications/:id/screening', async (request, response) => {
    await screen(platform, request.params.id as ApplicationId);
    response.status(204).end();
  });
  app.post('/applications/:id/hire', async (request, response) => {
    const applicationId = request.params.id as ApplicationId;
    await hire(platform, { ...(request.body as Omit<HireOrder, 'applicationId'>), applicationId });
    response.status(201).end();
  });
  app.use(explain);
  return app;
}

/** Maps errors of the partner API and of the database to HTTP responses. */
const explain: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof OperatorError)
    response.status(409).json({ error: error.code, message: error.message });
  else if (isConstraint(error)) response.status(409).json({ error: error.constraint });
  else next(error);
};

function isConstraint(error: unknown): error is Error & { readonly constraint: string } {
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string';
}
