import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createRedactingLogger } from './redacting-logger.js';

it('passes fields and message on, and reduces the error', () => {
  const host = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const logger = createRedactingLogger(host);
  for (const level of ['debug', 'info', 'warn'] as const) {
    logger[level]({ requestId: 'r' }, 'answered');
    expect(host[level]).toHaveBeenCalledExactlyOnceWith({ requestId: 'r' }, 'answered');
  }
  logger.error({ err: Object.assign(new Error('boom'), { parameters: ['ada'] }), keyId: 'key_1' }, 'failed');
  expect(host.error).toHaveBeenCalledExactlyOnceWith(
    { err: { name: 'Error', message: 'boom', stack: expect.any(String) }, keyId: 'key_1' },
    'failed',
  );
});

it('ignores a logger that throws', () => {
  const fail = () => {
    throw new Error('full');
  };
  const logger = createRedactingLogger({ debug: fail, info: fail, warn: fail, error: fail });
  expect(() => logger.error({}, 'failed')).not.toThrow();
});

it('ignores a logger that rejects', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  const fail = () => Promise.reject(new Error('full'));
  const logger = createRedactingLogger({ debug: fail, info: fail, warn: fail, error: fail });
  logger.error({}, 'failed');
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
});
