/** The baseline of the start on SQLite: Express with one route, and the same file open. */
import Sqlite from 'better-sqlite3';
import express from 'express';
import { listenOnce } from './listen-once.js';

const handle = new Sqlite(process.argv[2]);
const one = handle.prepare('select 1 as one');
const app = express();
app.get('/', (_request, response) => void response.json(one.get()));
listenOnce(app);
