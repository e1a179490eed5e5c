import { describeOnSqlite } from '../describe-on-sqlite.js';
import { prismaSqliteLibrary } from './sqlite.js';

describeOnSqlite(prismaSqliteLibrary);
