/** A host on Koa. `partner-hiring.ts` is the program of docs/quick-start-host.md. */
import { createNodeHandler } from '@partner-hiring/node';
import Koa from 'koa';
import { partnerConsole, portal } from './pages.js';
import { partnerHiring } from './partner-hiring.js';

const app = new Koa();
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
  await new Promise((resolve) => setTimeout(resolve, 5)); // as a query of a database does
  if (context.path === '/own') context.body = 'own';
});
app.listen(Number(process.env.PORT), '127.0.0.1');
