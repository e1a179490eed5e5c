/** A host on Koa, with the partner API in SQLite. */
import { createPartnerHiring } from '@partner-hiring/core';
import { createNodeHandler } from '@partner-hiring/node';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Koa from 'koa';

const partnerHiring = createPartnerHiring({
  storage: await createSqliteStorage({ file: 'partner-hiring.sqlite' }),
  secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',
});
const { operator } = partnerHiring;
const partner = await operator.partners.create({ name: 'Acme ATS' });
const issued = await operator.keys.issue({ partnerId: partner.id, environment: 'production' });
console.log(`API key ${issued.secret}`);

const handle = createNodeHandler(partnerHiring);
const app = new Koa();
app.use((context, next) => {
  context.respond = false;
  return handle(context.req, context.res, (error) => {
    context.respond = true;
    if (error !== undefined) throw error;
    return next();
  });
});
app.use(async (context) => {
  if (context.path === '/own') context.body = 'own';
});
app.listen(Number(process.env.PORT), '127.0.0.1');
