import type { RequestRepository } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Preparation, Prepare } from '../preparation.js';
import { prepareSweep } from '../sweep-position.js';

export const prepareRequestSweeps: Prepare<Pick<RequestRepository, 'sweep' | 'sweepReads'>> = (
  preparation,
) => {
  const sweeps = [prepareSweepKind(preparation, 0), prepareSweepKind(preparation, 1)];
  const sweepReads = prepareSweep(preparation, {
    table: 'ph_request_read',
    column: 'sweep_at',
    key: ['key_id', 'route', 'minute'],
    inOrderOf: ['key_id', 'route'],
    isOver: (at, before) => at < before - MINUTE_MS,
    by: 'writeWithAsyncCommit',
  });
  return (session) => ({
    sweep: async (before, limit) => {
      let removed = 0;
      for (const sweep of sweeps) removed += await sweep(session, before, limit);
      return removed;
    },
    sweepReads: (before, limit) => sweepReads(session, before, limit),
  });
};

/** Sweeps errors or other requests, which are different ranges of the index. */
function prepareSweepKind(preparation: Preparation, kind: 0 | 1) {
  return prepareSweep(preparation, {
    table: 'ph_request',
    column: 'at',
    key: ['request_id'],
    inOrderOf: ['request_id'],
    only: (query) => query.where('is_error', '=', sql.lit(kind)),
    isOver: (at, before) => at < before,
    by: 'writeWithAsyncCommit',
  });
}

const MINUTE_MS = 60_000;
