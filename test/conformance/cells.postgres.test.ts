import { describeStorage } from '@partner-hiring/conformance';
import { openPostgres } from './open-postgres.js';

describeStorage('PostgreSQL with eight cells', () => openPostgres({ cells: 8 }));
