import { OperatorError } from '@partner-hiring/core';
import { isOfServer } from './errors.js';

/** PgBouncer's answer to `begin`. The code alone covers every protocol violation. */
const REFUSED_BEGIN = { code: '08P01', message: 'transaction blocks not allowed in statement pooling mode' };

/** Returns null for other errors. */
export function refusalOfStatementMode(error: unknown): OperatorError | null {
  if (!isOfServer(error)) return null;
  if (error.code !== REFUSED_BEGIN.code || error.message !== REFUSED_BEGIN.message) return null;
  const refusal = new OperatorError(
    'MISCONFIGURED',
    'The pooler in front of PostgreSQL is in statement mode, which forbids transactions. The storage needs them. Set ' +
      '`pool_mode = transaction` in the configuration of PgBouncer for this database or its user, and reload it.',
  );
  refusal.cause = error;
  return refusal;
}
