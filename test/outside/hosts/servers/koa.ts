/** A host on Koa. `partner-hiring.ts` is the program of docs/quick-start-host.md. */
import { json } from 'node:stream/consumers';
import { createNodeHandler } from '@partner-hiring/node';
import Koa from 'koa';
import { early, OWN } from './own.js';
import { partnerConsole, portal } from './pages.js';
import { partnerHiring } from './partner-hiring.js';

const app = new Koa();
app.use(async (context, next) => {
  if (context.path === '/early') context.body = await early();
  else await next();
});
for (const handle of [createNodeHandler(partnerHiring), partnerConsole.node, portal.node]) {
  app.use((context, next) => {
    context.respond = false;
    return handle(context.req, context.res, (error) => {
      context.respond = true;
      if (error !== undefined) throw error;
      return next();
    });
  });
}
app.use(async (context) => {
  const own = OWN[context.path];
  if (own === undefined) return;
  context.body = context.method === 'POST' ? await json(context.req) : await own();
});
app.silent = true; // a route fails on purpose
app.listen(Number(process.env.PORT), '127.0.0.1');
