import { OperatorError } from '@partner-hiring/core';

/** Where the tables lie unless the host says otherwise. */
export const DEFAULT_SCHEMA = 'partner_hiring';

/**
 * A schema's name as SQL has it, in quotes.
 *
 * @throws OperatorError `MISCONFIGURED` for a name that the server would cut off, or that is none.
 */
export function quotedSchema(schema: string): string {
  if (schema === '' || schema.includes('\0') || Buffer.byteLength(schema) > LONGEST_NAME) {
    throw new OperatorError('MISCONFIGURED', `The schema's name must have 1 to ${LONGEST_NAME} bytes.`);
  }
  return `"${schema.replaceAll('"', '""')}"`;
}

/** PostgreSQL cuts longer names off, and says so only in a notice. */
const LONGEST_NAME = 63;
