import { CONSOLE_RIGHTS, createConsole } from '@partner-hiring/console';
import { type ApplicationId, createHealth, OperatorError, stopOnSignals } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { fromDrizzle } from '@partner-hiring/postgres/drizzle';
import { eq, sql } from 'drizzle-orm';
import express, { type ErrorRequestHandler } from 'express';
import { register } from 'prom-client';
import { app, forStaff } from './app.js';
import { logger, openHiring } from './partner-hiring.js';
import { candidate, db, pool } from './platform.js';
import { findStaff } from './staff.js';

const partnerHiring = await openHiring();
const { operator, worker } = partnerHiring;
app.use(partnerHiringExpress(partnerHiring)); // before the body parsers
const actor = (request: { readonly headers: Headers }) => {
  const staff = findStaff(request.headers.get('cookie'));
  return staff && { ...staff, rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' as const };
};
app.use(createConsole({ operator, actor }).node);
const health = createHealth(partnerHiring);
app.get('/readyz', async (_request, response) => {
  const report = await health.ready();
  response.status(report.status).json(report);
});

const hire = forStaff(async ({ staff, request, response }) => {
  const id = request.params.id as ApplicationId;
  await db.transaction(async (tx) => {
    await tx.update(candidate).set({ status: 'hired' }).where(eq(candidate.applicationId, id));
    const { applications } = operator.within(fromDrizzle(tx, sql)).as(staff);
    await applications.move({ id });
    await applications.decide({ id, decision: 'accepted' });
  });
  worker.wake();
  response.status(204).end();
});
app.post('/candidates/:id/hire', hire);
const STATUS: Record<string, number> = { APPLICATION_NOT_FOUND: 404, ILLEGAL_MOVE: 409 };
app.use(((error, _request, response, next) => {
  const status = error instanceof OperatorError ? STATUS[error.code] : undefined;
  if (status === undefined) return next(error);
  response.status(status).json({ error: error.message });
}) satisfies ErrorRequestHandler);

const inside = express().get('/metrics', async (_, res) => res.type('text').send(await register.metrics()));
inside.listen(Number(process.env.METRICS_PORT ?? 9464), process.env.METRICS_HOST ?? '127.0.0.1');
const server = app.listen(Number(process.env.PORT));
worker.start();
stopOnSignals({ partnerHiring, server, logger, close: () => pool.end() });
