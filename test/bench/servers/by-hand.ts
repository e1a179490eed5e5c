/**
 * The baselines on PostgreSQL, as a developer would write them straight on Fastify and `pg`: a point read
 * without authentication, a submission of separate statements, and both as one function call.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { Pool } from 'pg';
import { findApplication } from '../by-hand/statements.js';
import { type HandSubmission, submitByHand } from '../by-hand/submit.js';
import { announcePort } from './announce-port.js';

const [connectionString = '', functions = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: Number(process.env.BENCH_POOL ?? 10) });
await pool.query(readFileSync(functions, 'utf8'));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const secretOf = (authorization = '') => authorization.slice('Bearer '.length);

const app = Fastify();

app.get<{ Params: { id: string } }>('/point-read/:id', async (request) => {
  const { rows } = await pool.query<Record<string, unknown>>(findApplication(request.params.id));
  return rows[0];
});

app.post<{ Body: HandSubmission['body'] }>('/transaction', async ({ headers, body }, reply) => {
  const secret = secretOf(headers.authorization);
  const text = await submitByHand(pool, { secret, idempotencyKey: String(headers['idempotency-key']), body });
  return reply.code(201).type('application/json').send(text);
});

app.get<{ Params: { id: string } }>('/function/:id', async ({ headers, params }) => {
  const values = [sha256(secretOf(headers.authorization)), params.id, Date.now()];
  const text = 'select (application).*, counted from by_hand_read($1, $2, $3)';
  const { rows } = await pool.query<Record<string, unknown>>({ name: 'by_hand_read', text, values });
  return rows[0];
});

app.post<{ Body: HandSubmission['body'] }>('/function', async ({ headers, body }, reply) => {
  const { firstName, lastName, email, phone } = body.candidate;
  const values = [
    sha256(secretOf(headers.authorization)),
    headers['idempotency-key'],
    sha256(JSON.stringify(body)),
    `ej_app_${randomUUID()}`,
    body.jobId,
    body.sourceApplicationId,
    firstName,
    lastName,
    email,
    phone,
    body.source,
    body.resumeUrl,
    Date.now(),
  ];
  const text = `select by_hand_submit(${values.map((_, index) => `$${index + 1}`).join(', ')}) as reply`;
  const { rows } = await pool.query<{ reply: string }>({ name: 'by_hand_submit', text, values });
  return reply.code(201).type('application/json').send(rows[0]?.reply);
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.on('disconnect', () => process.exit());
announcePort(app.server);
