import { describe } from 'vitest';
import { TEST_TIMEOUT_MS } from '../fresh-window.js';
import { describeApiRoutes } from './api-routes.js';
import { describeBodies } from './bodies.js';
import { describeConnections } from './connections.js';
import { describeDocs } from './docs.js';
import { describeErrors } from './errors.js';
import { describeEventRoute } from './event-log.js';
import type { HttpUnderTest } from './fixture.js';
import { describeOutages, describeOutagesOfSelfService, describeSlowStorage } from './outages.js';
import { describeRateHeaders } from './rate-headers.js';
import { describeRequestHeads } from './request-heads.js';
import { describeSentInput } from './sent-input.js';
import { describeSlowBodies } from './slow-bodies.js';
import { describeTargets } from './targets.js';
import { describeWebhookEndpoint } from './webhook-endpoint.js';

/**
 * Tests an HTTP adapter over raw sockets: every endpoint, every error, and unusual HTTP. Call it once in a
 * test file with Vitest. Each response must be the handler's reply, unchanged, and must match the OpenAPI
 * document.
 * @example
 * ```ts
 * describeHttp('my framework', {
 *   openStorage,
 *   serve: async ({ handler }) => {
 *     const server = await startMyServer(handler);
 *     return { port: server.port, close: () => server.stop() };
 *   },
 * });
 * ```
 */
export function describeHttp(name: string, underTest: HttpUnderTest): void {
  describe(name, { timeout: TEST_TIMEOUT_MS }, () => {
    describeApiRoutes(underTest);
    describeErrors(underTest);
    describeEventRoute(underTest);
    describeWebhookEndpoint(underTest);
    describeRateHeaders(underTest);
    describeRequestHeads(underTest);
    describeTargets(underTest);
    describeBodies(underTest);
    describeSentInput(underTest);
    describeSlowBodies(underTest);
    describeSlowStorage(underTest);
    describeConnections(underTest);
    describeOutages(underTest);
    describeOutagesOfSelfService(underTest);
    describeDocs(underTest);
  });
}
