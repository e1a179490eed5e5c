import type { Report, RunContext, StandaloneCommand } from '../command/command.js';
import { UsageError } from '../command/command-error.js';
import type { CommandInput } from '../command/command-input.js';
import { CHECKS_OF_SCHEMA } from '../doctor/check-list.js';
import { doctorExitCode, doctorText } from '../doctor/report.js';
import { runChecks } from '../doctor/run-doctor.js';
import { type MigrateMode, migrateText, runMigrate } from '../migrate/run-migrate.js';

/** The command `migrate`. */
export const migrateDatabase: StandaloneCommand = {
  summary: 'Creates or migrates the tables of the database',
  options: {
    'dry-run': { summary: 'Only list the missing migrations, with what each locks' },
    sql: { summary: 'Only print the missing migrations as a script for an administrator' },
    check: {
      summary: 'Only compare the tables with what the migrations create, and exit with 1 if they differ',
    },
    'grant-to': { value: 'ROLE', summary: 'With --sql: grant this PostgreSQL role the rights on the tables' },
  },
  runAlone: async (input, context) => {
    if (input.isSet('check')) return compareSchema(input, context);
    const mode = modeOf(input);
    const grantTo = input.option('grant-to');
    const database = context.database();
    if (grantTo !== undefined && (mode !== 'sql' || database.kind === 'sqlite')) {
      throw new UsageError('--grant-to needs --sql and a PostgreSQL database.');
    }
    const result = await runMigrate({ database, mode, grantTo });
    return { text: migrateText(result), value: result };
  },
};

async function compareSchema(input: CommandInput, { database }: RunContext): Promise<Report> {
  if (input.isSet('sql') || input.isSet('dry-run') || input.option('grant-to') !== undefined) {
    throw new UsageError('Pass --check without --dry-run, --sql and --grant-to.');
  }
  const report = await runChecks({ database: database() }, CHECKS_OF_SCHEMA);
  return {
    text: doctorText(report),
    value: report,
    isBadNews: doctorExitCode(report, { strict: true }) === 1,
  };
}

function modeOf(input: CommandInput): MigrateMode {
  if (input.isSet('sql') && input.isSet('dry-run')) {
    throw new UsageError('Pass either --dry-run or --sql, not both.');
  }
  if (input.isSet('sql')) return 'sql';
  return input.isSet('dry-run') ? 'dry-run' : 'apply';
}
