import { OperatorError } from '@partner-hiring/core';

/** When the tables are brought up to date. */
const MIGRATE = ['at_start', 'never'] as const;

/** What JavaScript lets through where the options of a storage are expected. */
interface Given {
  readonly migrate?: unknown;
  readonly preparedStatements?: unknown;
  readonly announceWork?: unknown;
}

/**
 * Refuses a choice or a switch that is none: a typo must not migrate, and `'false'`, as the environment has it, must
 * not pass for true.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function checkOptions(options: Given): void {
  checkRecord(options);
  const { migrate = 'at_start', preparedStatements, announceWork } = options;
  if (!MIGRATE.some((choice) => choice === migrate)) {
    refuse('migrate', migrate, "'at_start' or 'never'");
  }
  for (const [name, value] of Object.entries({ preparedStatements, announceWork })) {
    if (value !== undefined && typeof value !== 'boolean') refuse(name, value, 'true or false');
  }
}

/**
 * Refuses an address that stands where an object should, or nothing at all.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function checkRecord(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw new OperatorError(
    'MISCONFIGURED',
    'Options are an object with a `connectionString`, `{ connectionString }`, or with a `pool`, `{ pool }`.',
  );
}

function refuse(name: string, value: unknown, choices: string): never {
  const given = typeof value === 'string' ? `the text '${value}'` : String(value);
  throw new OperatorError('MISCONFIGURED', `\`${name}\` was given as ${given}. It must be ${choices}.`);
}
