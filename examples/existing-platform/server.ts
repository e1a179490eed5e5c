import { CONSOLE_RIGHTS, createConsole } from '@partner-hiring/console';
import { type ApplicationId, createHealth, stopOnSignals } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { fromDrizzle } from '@partner-hiring/postgres/drizzle';
import { eq, sql } from 'drizzle-orm';
import express from 'express';
import { metrics, partnerHiring } from './partner-hiring.js';
import { candidate, db, findStaff, pool } from './platform.js';

const { operator, worker } = partnerHiring;
const app = express();
app.use(partnerHiringExpress(partnerHiring)); // before the body parsers
const actor = (request: { readonly headers: Headers }) => {
  const staff = findStaff(request.headers.get('cookie'));
  return staff && { ...staff, rights: CONSOLE_RIGHTS.support, partnerIds: 'all' as const };
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
  await db.transaction(async (tx) => {
    await tx.update(candidate).set({ status: 'hired' }).where(eq(candidate.applicationId, id));
    const { applications } = operator.within(fromDrizzle(tx, sql));
    await applications.beginEvaluation({ id });
    await applications.decide({ id, decision: 'accepted' });
  });
  worker.wake();
  response.status(204).end();
});

const server = app.listen(Number(process.env.PORT));
worker.start();
stopOnSignals({ partnerHiring, server, close: () => pool.end() });
