/** On SQLite only: the adapter for Express runs on both databases. */
import { ExpressAdapter } from '@nestjs/platform-express';
import { describeNest } from './describe-nest.js';

describeNest('Nest on Express', () => new ExpressAdapter());
