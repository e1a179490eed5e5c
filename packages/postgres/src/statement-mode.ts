import { OperatorError } from '@partner-hiring/core';
import { isOfServer } from './errors.js';

/**
 * PgBouncer's error for `begin` in statement mode. The message is compared too, because the code covers every
 * protocol violation.
 */
const REFUSED_BEGIN = { code: '08P01', message: 'transaction blocks not allowed in statement pooling mode' };

/** Returns the error that explains statement mode, or null if the given error has another cause. */
export function refusalOfStatementMode(error: unknown): OperatorError | null {
  if (!isOfServer(error)) return null;
  if (error.code !== REFUSED_BEGIN.code || error.message !== REFUSED_BEGIN.message) return null;
  const refusal = new OperatorError(
    'MISCONFIGURED',
    'The pooler in front of PostgreSQL is in statement mode, which forbids transactions. The storage needs them. ' +
      'In PgBouncer, set `pool_mode = transaction` for this database or its user, and reload the configuration.',
  );
  refusal.cause = error;
  return refusal;
}
