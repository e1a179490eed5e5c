import { describe } from 'vitest';
import { PATIENCE_MS } from '../patience.js';
import { describeApiEndpoints } from './api-endpoints.js';
import { describeBodies } from './bodies.js';
import { describeConnections } from './connections.js';
import { describeErrors } from './errors.js';
import type { HttpUnderTest } from './http-under-test.js';
import { describeOutages } from './outages.js';
import { describeRateHeaders } from './rate-headers.js';
import { describeRequestHeads } from './request-heads.js';
import { describeSlowBodies } from './slow-bodies.js';
import { describeTargets } from './targets.js';

/**
 * What every server of the API must do, as tests of Vitest over raw sockets: every endpoint and every error,
 * and HTTP in its odd forms. One call in a test file for each adapter. Each response must also be the
 * handler's reply, unchanged: status line, header fields, and every byte of the body. And it must be one that
 * the OpenAPI document describes: operation, status, header fields and body, with nothing beside them.
 */
export function describeHttp(name: string, underTest: HttpUnderTest): void {
  describe(name, { timeout: PATIENCE_MS }, () => {
    describeApiEndpoints(underTest);
    describeErrors(underTest);
    describeRateHeaders(underTest);
    describeRequestHeads(underTest);
    describeTargets(underTest);
    describeBodies(underTest);
    describeSlowBodies(underTest);
    describeConnections(underTest);
    describeOutages(underTest);
  });
}
