import { describeStorage } from '@partner-hiring/conformance';
import { openSqlite } from './open-sqlite.js';

describeStorage('SQLite', openSqlite);
