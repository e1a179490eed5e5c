import { storageMisconfiguration } from '@partner-hiring/storage-kysely';

const MIGRATE = ['at_start', 'never'] as const;

const SWITCHES = ['preparedStatements', 'announceWork', 'pipeline', 'sessionSettings'] as const;

type Given = { readonly [Name in 'migrate' | (typeof SWITCHES)[number]]?: unknown };

/**
 * Throws if an option has an invalid value: a typo in `migrate` must not migrate, and the text `'false'` must
 * not count as true.
 */
export function checkPostgresOptions(options: Given): void {
  checkRecord(options);
  const { migrate = 'at_start' } = options;
  if (!MIGRATE.some((choice) => choice === migrate)) {
    refuse('migrate', migrate, "'at_start' or 'never'");
  }
  for (const name of SWITCHES) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'boolean') refuse(name, value, 'true or false');
  }
}

export function checkRecord(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw storageMisconfiguration(
    'Options are an object with a `connectionString` or a `pool`: `{ connectionString }` or `{ pool }`.',
  );
}

function refuse(name: string, value: unknown, choices: string): never {
  const given = typeof value === 'string' ? `the text '${value}'` : String(value);
  throw storageMisconfiguration(`\`${name}\` was given as ${given}. It must be ${choices}.`);
}
