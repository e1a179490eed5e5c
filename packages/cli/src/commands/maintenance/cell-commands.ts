import type { PostgresCell } from '@partner-hiring/postgres';
import type { CommandContext, CommandGroup, StandaloneCommand } from '../../command/command.js';
import { UsageError } from '../../command/usage-error.js';
import { INSTALLED_PACKAGES, toLoadError } from '../../connection/load-storage.js';
import { sentence, tableReport } from '../../report/report.js';

async function cellsOf(context: CommandContext) {
  const target = context.database();
  if (target.kind !== 'postgres' || target.schemas === undefined) {
    throw new UsageError(
      'Name all cells, the home cell first, e.g. --schemas ph_1,ph_2. They need PostgreSQL.',
    );
  }
  const { connectionString, schemas } = target;
  const postgres = await INSTALLED_PACKAGES.postgres().catch((error: unknown) => {
    throw toLoadError('postgres', error);
  });
  return { postgres, options: { connectionString, maxConnections: 2, pipeline: false, schemas } };
}

const list: StandaloneCommand = {
  summary: 'Lists the cells with their partners',
  runAlone: async (_input, context) => {
    const { postgres, options } = await cellsOf(context);
    const cells = await postgres.listPostgresCells(options);
    const columns = {
      CELL: ({ schema, isHome }: PostgresCell) => `${schema}${isHome ? ' (home)' : ''}`,
      STATE: ({ isOpen }: PostgresCell) => (isOpen ? 'open' : 'closed'),
      PARTNERS: ({ partners }: PostgresCell) => String(partners),
      'MOVED OUT': ({ movedOut }: PostgresCell) => String(movedOut),
    };
    return tableReport(cells, columns, 'No cells.');
  },
};

const add: StandaloneCommand = {
  summary: 'Copies companies and jobs to a new cell, and opens it for partners',
  arguments: ['cell'],
  runAlone: async (input, context) => {
    const { postgres, options } = await cellsOf(context);
    const schema = input.argument('cell');
    await postgres.addPostgresCell({ ...options, schema });
    return sentence(`${schema} is open.`, { schema, isOpen: true });
  },
};

const move: StandaloneCommand = {
  summary: 'Moves a partner to another cell',
  arguments: ['partner', 'cell'],
  runAlone: async (input, context) => {
    const { postgres, options } = await cellsOf(context);
    const moved = await postgres.movePostgresPartner({
      ...options,
      partnerId: input.id('partner'),
      to: input.argument('cell'),
    });
    const { from, to, movedRows } = moved;
    const text = from === to ? `Already in ${to}.` : `Moved from ${from} to ${to}: ${movedRows} rows.`;
    return sentence(text, moved);
  },
};

/** The commands `cells …`, for a storage on several schemas. */
export const cellGroup: CommandGroup<StandaloneCommand> = {
  summary: 'Cells of a storage on several schemas',
  commands: { list, add, move },
  standard: 'list',
};
