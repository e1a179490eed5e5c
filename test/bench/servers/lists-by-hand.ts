/**
 * The baseline of the lists: a server as a developer would write it on Fastify and better-sqlite3 or `pg`. Each request
 * authenticates by the hash of its key, counts in the database and reads its page, with a prepared statement for each.
 */
import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Pool, types } from 'pg';
import { APPLICATIONS, type HandFilters, type HandQuery, JOBS, readPage } from '../by-hand/list-pages.js';
import { announcePort } from './announce-port.js';

const [kind = '', address = '', tables = ''] = process.argv.slice(2);
const WINDOW_MS = 60_000;
const LIMIT = 1_000_000_000;

/** The tables are created and filled first. A lost count is no loss, so that commits do not wait for the disk. */
async function openSqlite(): Promise<HandQuery> {
  const handle = new Sqlite(address);
  handle.pragma('journal_mode = wal');
  handle.pragma('synchronous = normal');
  handle.exec(readFileSync(tables, 'utf8'));
  handle.exec('analyze');
  const prepared = new Map<string, Sqlite.Statement<unknown[], never>>();
  return (text, values) => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      statement = handle.prepare<unknown[], never>(text.replaceAll(/\$\d/g, '?'));
      prepared.set(text, statement);
    }
    return statement.all(...values);
  };
}

async function openPostgres(): Promise<HandQuery> {
  types.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: address,
    max: Number(process.env.BENCH_POOL ?? 10),
    options: '-c search_path=by_hand,partner_hiring -c synchronous_commit=off',
  });
  await pool.query(`create schema by_hand; ${readFileSync(tables, 'utf8')}; analyze`);
  const names = new Map<string, string>();
  return async (text, values) => {
    let name = names.get(text);
    if (name === undefined) {
      name = `hand_${names.size}`;
      names.set(text, name);
    }
    return (await pool.query({ name, text, values: [...values] })).rows;
  };
}

const query = await (kind === 'sqlite' ? openSqlite() : openPostgres());

/** Checks and counts the request of a key. Replies itself if it refuses the request. */
async function admit(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  bucket: string,
): Promise<{ readonly id: string; readonly head: number } | null> {
  reply.header('X-Request-Id', randomUUID());
  reply.header('Cache-Control', 'no-store');
  reply.header('X-Content-Type-Options', 'nosniff');
  const secret = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const now = Date.now();
  const [key] = await query(
    `select key.key_id, key.expires_at, key.revoked_at, feed.at as head
     from hand_key key join hand_feed feed on feed.key_id = key.key_id where key.secret_hash = $1`,
    [hash('sha256', secret)],
  );
  if (
    key === undefined ||
    key.revoked_at !== null ||
    (key.expires_at !== null && Number(key.expires_at) <= now)
  ) {
    reply.code(401).send({ error: 'UNAUTHORIZED', message: 'Unauthorized' });
    return null;
  }
  const windowStart = now - (now % WINDOW_MS);
  const [counted] = await query(
    `insert into hand_rate_window as counted (bucket, window_start, count) values ($1, $2, 1)
     on conflict (bucket, window_start) do update set count = counted.count + 1 returning count`,
    [`${bucket}:${String(key.key_id)}`, windowStart],
  );
  const count = Number(counted?.count);
  reply.header('X-RateLimit-Limit', LIMIT);
  reply.header('X-RateLimit-Remaining', Math.max(LIMIT - count, 0));
  reply.header('X-RateLimit-Reset', (windowStart + WINDOW_MS) / 1_000);
  if (count > LIMIT) {
    reply.code(429).send({ error: 'RATE_LIMITED', message: 'Too many requests' });
    return null;
  }
  return { id: String(key.key_id), head: Number(key.head) };
}

const app = Fastify();

for (const [list, statuses] of [
  [JOBS, ['open']],
  [APPLICATIONS, ['received', 'in_progress', 'accepted', 'rejected']],
] as const) {
  const querystring = {
    type: 'object',
    properties: {
      updated_since: { type: 'string', format: 'date-time' },
      cursor: { type: 'string' },
      company_id: { type: 'string' },
      status: { type: 'string', enum: statuses },
      limit: { type: 'integer', minimum: 1, default: 50 },
    },
  };
  app.get<{ Querystring: HandFilters }>(
    `/${list.name}`,
    { schema: { querystring } },
    async (request, reply) => {
      const key = await admit(request, reply, list.name);
      if (key === null) return reply;
      const limit = Math.min(request.query.limit, 200);
      const page = await readPage(query, list, key, { ...request.query, limit });
      if (page === null) return reply.code(422).send({ error: 'VALIDATION_ERROR', message: 'Not a cursor.' });
      return reply.header('X-Updated-Through', page.through).send(page.body);
    },
  );
}

await app.listen({ port: 0, host: '127.0.0.1' });
process.on('disconnect', () => process.exit());
announcePort(app.server);
