import type { PartnerId } from '@partner-hiring/core/ports';
import { addPostgresCell } from './add-postgres-cell.js';
import { listPostgresCells } from './list-postgres-cells.js';
import { movePostgresPartner } from './move-postgres-partner.js';
import type { PostgresCellsOptions } from './open-cells.js';

/** A command on the schemas of a storage, for command lines such as `partner-hiring`. */
export interface PostgresCommand {
  readonly summary: string;
  /** The names of the arguments, in order. `partner` is the id of a partner. */
  readonly arguments: readonly string[];
  /** @throws OperatorError and StorageUnavailable as the function that it calls. */
  run(database: PostgresCellsOptions, args: Readonly<Record<string, string>>): Promise<PostgresCommandResult>;
}

/** The result of a {@link PostgresCommand}. */
export interface PostgresCommandResult {
  readonly value: unknown;
  /** A sentence, or the rows of a table: each text under its title. */
  readonly text: string | readonly Readonly<Record<string, string>>[];
}

/** Commands on one noun. */
export interface PostgresCommandGroup {
  readonly summary: string;
  readonly commands: Readonly<Record<string, PostgresCommand>>;
  /** The default command. */
  readonly standard: string;
}

const list: PostgresCommand = {
  summary: 'Lists the cells with their partners',
  arguments: [],
  run: async (database) => {
    const cells = await listPostgresCells(database);
    const text = cells.map(({ schema, isHome, isOpen, partners, movedOut }) => ({
      CELL: `${schema}${isHome ? ' (home)' : ''}`,
      STATE: isOpen ? 'open' : 'closed',
      PARTNERS: String(partners),
      'MOVED OUT': String(movedOut),
    }));
    return { value: cells, text };
  },
};

const add: PostgresCommand = {
  summary: 'Copies companies and jobs to a new cell, and opens it for partners',
  arguments: ['cell'],
  run: async (database, { cell = '' }) => {
    await addPostgresCell({ ...database, schema: cell });
    return { value: { schema: cell, isOpen: true }, text: `${cell} is open.` };
  },
};

const move: PostgresCommand = {
  summary: 'Moves a partner to another cell',
  arguments: ['partner', 'cell'],
  run: async (database, { partner = '', cell = '' }) => {
    const moved = await movePostgresPartner({ ...database, partnerId: partner as PartnerId, to: cell });
    const { from, to, movedRows } = moved;
    const text = from === to ? `Already in ${to}.` : `Moved from ${from} to ${to}: ${movedRows} rows.`;
    return { value: moved, text };
  },
};

/** The commands on the schemas of a storage, by the name of their group. They need all `schemas`. */
export const POSTGRES_COMMANDS: Readonly<Record<string, PostgresCommandGroup>> = {
  cells: {
    summary: 'Cells of a storage on several schemas',
    commands: { list, add, move },
    standard: 'list',
  },
};
