/** The baseline of the start on PostgreSQL: Express with one route, and a pool on the same database. */
import express from 'express';
import { Pool } from 'pg';
import { listenOnce } from './listen-once.js';

const pool = new Pool({ connectionString: process.argv[2] });
const app = express();
app.get('/', async (_request, response) => {
  const { rows } = await pool.query('select 1 as one');
  response.json(rows[0]);
});
listenOnce(app);
