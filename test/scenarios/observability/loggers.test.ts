/** Logs of the library in the host's logger. */
import { createPinoLogger } from '@partner-hiring/core';
import Fastify from 'fastify';
import { expect, it } from 'vitest';

it("writes to Fastify's pino, at its levels, with the component", async () => {
  const lines: string[] = [];
  const app = Fastify({ logger: { level: 'info', stream: { write: (line) => void lines.push(line) } } });
  const logger = createPinoLogger(app.log);
  logger.debug({}, 'Not printed.');
  logger.info({ keyId: 'key_1' }, 'An endpoint was resumed.');
  logger.warn({}, 'A warning.');
  logger.error({ err: { message: 'It failed.' } }, 'A batch failed.');
  await app.close();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, component: 'partner-hiring', keyId: 'key_1', msg: 'An endpoint was resumed.' },
    { level: 40, component: 'partner-hiring', msg: 'A warning.' },
    { level: 50, component: 'partner-hiring', err: { message: 'It failed.' }, msg: 'A batch failed.' },
  ]);
});
