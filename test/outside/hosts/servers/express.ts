/** A host on Express 4 or 5. `partner-hiring.ts` is the program of docs/quick-start-host.md. */
import { partnerHiringExpress } from '@partner-hiring/express';
import express, { type Response } from 'express';
import { early, OWN } from './own.js';
import { partnerConsole, portal } from './pages.js';
import { partnerHiring } from './partner-hiring.js';

const app = express().set('env', 'test'); // prints no error, because a route fails on purpose
// Express 4 does not wait for a route.
const serve =
  (answer: () => Promise<string>) =>
  (_request: unknown, response: Response, next: (error: unknown) => void) => {
    answer().then((text) => response.send(text), next);
  };
app.get('/early', serve(early));
app.use(partnerHiringExpress(partnerHiring), partnerConsole.node, portal.node);
app.use(express.json());
for (const [path, answer] of Object.entries(OWN)) app.get(path, serve(answer));
app.post('/own', (request, response) => void response.json(request.body));
app.listen(Number(process.env.PORT), '127.0.0.1');
