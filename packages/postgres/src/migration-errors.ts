import { OperatorError } from '@partner-hiring/core';
import { isForbidden, isOfServer, toStorageError } from './errors.js';
import type { Place } from './outages/place.js';
import { quotedSchema } from './schema-name.js';
import { refusalOfStatementMode } from './server-settings.js';

/** Converts errors that the host must fix to `OperatorError`, and outages to `StorageUnavailable`. */
export function toRefusal(schema: string, error: unknown, place: Place): unknown {
  if (isForbidden(error)) return refusal(forbidden(schema), error);
  const ofPooler = refusalOfStatementMode(error);
  if (ofPooler !== null) return ofPooler;
  const translated = toStorageError(error, { place });
  return isOfServer(translated) ? refusal(refused(schema), translated) : translated;
}

function refusal(message: string, cause: unknown): OperatorError {
  const error = new OperatorError('MISCONFIGURED', message);
  error.cause = cause;
  return error;
}

const RUN_THE_SQL =
  'have an administrator run the SQL of postgresMigrationSql({ schema, from, grantTo: role })';

function forbidden(schema: string): string {
  return (
    `The role may not read or create the tables in the schema ${quotedSchema(schema)}. To fix this, ${RUN_THE_SQL}. ` +
    'Set `from` to the highest version in `ph_schema_migration`, or to 0 if there are no tables.'
  );
}

function refused(schema: string): string {
  return (
    `The database refused a migration of the schema ${quotedSchema(schema)}; see this error's cause. ` +
    'The failed step changed nothing. ' +
    'If an event trigger or a policy refused the step, disable it during the migration, or ' +
    `${RUN_THE_SQL}.`
  );
}
