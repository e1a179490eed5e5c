import { onTestFinished } from 'vitest';
import {
  createSafeTransport,
  type SafeTransportOptions,
} from '../../../packages/core/src/defaults/safe-transport.js';
import type { WebhookTransport } from '../../../packages/core/src/ports/host-services.js';

/** The default transport for receivers on this machine. */
export function createLocalTransport(options: SafeTransportOptions = {}): WebhookTransport {
  const transport = createSafeTransport({
    allowPrivateNetworks: true,
    allowPlainHttp: true,
    timeoutMs: 5_000,
    ...options,
  });
  onTestFinished(() => transport.close());
  return transport;
}

/** Posts once to a receiver on this machine. */
export function postLocally(url: string, options: SafeTransportOptions = {}, body = '{"id":"evt_1"}') {
  const headers = { 'content-type': 'application/json' };
  return createLocalTransport(options).post({ url, headers, body });
}

/** Returns the result of the work and its duration. */
export async function timed<T>(work: Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const startedAt = performance.now();
  const result = await work;
  return { result, ms: performance.now() - startedAt };
}
