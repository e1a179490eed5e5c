/** On SQLite only: the plugin for Fastify runs on both databases. */
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { describeNest } from './describe-nest.js';

describeNest('Nest on Fastify', () => new FastifyAdapter({ forceCloseConnections: true }));
