/** The partner API on Fastify and PostgreSQL. The first process seeds; those that follow are told what it made. */
import { createPostgresStorage } from '@partner-hiring/postgres';
import { openApi } from './open-api.js';
import type { BenchPartner } from './seed.js';

const [connectionString = '', seeded] = process.argv.slice(2);
const partners = seeded === undefined ? undefined : (JSON.parse(seeded) as readonly BenchPartner[]);
await openApi(await createPostgresStorage({ connectionString }), partners);
