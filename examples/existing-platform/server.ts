import { CONSOLE_RIGHTS, createConsole } from '@partner-hiring/console';
import { type ApplicationId, createHealth, OperatorError, stopOnSignals } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { fromDrizzle } from '@partner-hiring/postgres/drizzle';
import { eq, sql } from 'drizzle-orm';
import express, { type ErrorRequestHandler } from 'express';
import { logger, metrics, partnerHiring } from './partner-hiring.js';
import { candidate, db, findStaff, pool } from './platform.js';

const { operator, worker } = partnerHiring;
const app = express();
app.use(partnerHiringExpress(partnerHiring)); // before the body parsers
const actor = (request: { readonly headers: Headers }) => {
  const staff = findStaff(request.headers.get('cookie'));
  return staff && { ...staff, rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' as const };
};
app.use(createConsole({ operator, actor }).node);
const health = createHealth(partnerHiring);
app.get('/metrics', async (_request, response) => response.type('text').send(await metrics.text()));
app.get('/readyz', async (_request, response) => {
  const report = await health.ready();
  response.status(report.status).json(report);
});

app.get('/candidates', async (_request, response) => response.json(await db.select().from(candidate)));
app.post('/candidates/:id/hire', async (request, response) => {
  const id = request.params.id as ApplicationId;
  const staff = findStaff(request.headers.cookie ?? null);
  if (staff === null) return void response.status(401).end();
  await db.transaction(async (tx) => {
    await tx.update(candidate).set({ status: 'hired' }).where(eq(candidate.applicationId, id));
    const { applications } = operator.within(fromDrizzle(tx, sql)).as(staff);
    await applications.beginEvaluation({ id });
    await applications.decide({ id, decision: 'accepted' });
  });
  worker.wake();
  response.status(204).end();
});
const STATUS: Record<string, number> = { APPLICATION_NOT_FOUND: 404, ILLEGAL_MOVE: 409 };
app.use(((error, _request, response, next) => {
  const status = error instanceof OperatorError ? STATUS[error.code] : undefined;
  if (status === undefined) return next(error);
  response.status(status).json({ error: error.message });
}) satisfies ErrorRequestHandler);

const server = app.listen(Number(process.env.PORT));
worker.start();
stopOnSignals({ partnerHiring, server, logger, close: () => pool.end() });
