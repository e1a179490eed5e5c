import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { listen } from '../../examples/server/listen.js';

test.each([
  [80, 'PORT=8080 npm start'],
  [3000, 'PORT=3100 npm start'],
  [65_500, 'PORT=65400 npm start'],
])('a port %i that cannot be had leads to one that everybody may have', async (port, fix) => {
  const refused = Object.assign(new Error('permission denied'), { code: 'EACCES' });
  const app = { listen: () => Promise.reject(refused) } as unknown as FastifyInstance;
  await expect(listen(app, { host: '127.0.0.1', port, variable: 'PORT' })).rejects.toThrow(fix);
});
