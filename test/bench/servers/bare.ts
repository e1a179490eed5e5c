/**
 * The baseline: a bare Fastify server whose routes read what ours must read and return a constant of the
 * size that ours returns. No database, no authentication, no limits.
 */
import Fastify from 'fastify';
import { announcePort } from './announce-port.js';

const [applicationBody = '', applicationsBody = '', jobsBody = '', createdBody = ''] = process.argv
  .slice(2)
  .map((text) => Buffer.from(text, 'base64').toString());

const app = Fastify();
const json =
  (body: string) => (_request: unknown, reply: { type(t: string): { send(b: string): unknown } }) =>
    reply.type('application/json').send(body);

app.get('/application', json(applicationBody));
app.get('/applications', json(applicationsBody));
app.get('/jobs', json(jobsBody));
app.post('/applications', (_request, reply) => reply.code(201).type('application/json').send(createdBody));

await app.listen({ port: 0, host: '127.0.0.1' });
announcePort(app.server);
