import { describeOnPostgres } from '../describe-on-postgres.js';
import { prismaLibrary } from './postgres.js';

describeOnPostgres(prismaLibrary);
