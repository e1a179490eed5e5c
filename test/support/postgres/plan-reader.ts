import type { Storage } from '@partner-hiring/core';
import { createKyselyStorage, type Dialect, type Execute } from '@partner-hiring/storage-kysely';
import { Client } from 'pg';
import { expect } from 'vitest';
import { createPostgresDialect } from '../../../packages/postgres/src/dialect.js';
import { migratePostgres } from '../../../packages/postgres/src/migrate-postgres.js';
import { makeAtOnce } from '../../../packages/storage-kysely/src/statement.js';
import type { PlanConditions, RunPlanned } from '../plans/planned-query.js';
import { createTestSchema } from './database.js';

/** A node of `explain`. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The plan modes to test: a custom plan for each call, and one generic plan. */
export const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'];

/** Reads the plans of repository queries in a new schema. */
export function createPlanReader() {
  const { connectionString, schema, drop } = createTestSchema();
  const client = new Client({ connectionString });
  let plans: PlanNode[] = [];
  let executions = 0;
  let keptPlans = 0;
  let answer: NonNullable<PlanConditions['answer']> = () => [];
  // The driver's statement in the prepared form that the server runs.
  const explainOne: Execute = async (sql, [parameters = []]) => {
    await client.query(`prepare explained as ${sql}`);
    const values = parameters.map((value) => client.escapeLiteral(String(value))).join(', ');
    const execution = `execute explained${values === '' ? '' : `(${values})`}`;
    for (let left = executions; left > 0; left -= 1) await client.query(execution);
    const { rows: kept } = await client.query('select generic_plans from pg_prepared_statements');
    keptPlans = Number(kept[0].generic_plans);
    const { rows } = await client.query(`explain (format json, costs off) ${execution}`);
    await client.query('deallocate explained');
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
    return { rows: answer(sql) };
  };
  let last: Promise<unknown> = Promise.resolve();
  const explain: Execute = (sql, sets) => {
    const next = last.then(() => explainOne(sql, sets));
    last = next.catch(() => {});
    return next;
  };
  const storage = createExplainedStorage(
    createPostgresDialect({ schema, announceWork: false, clock: null }),
    explain,
  );
  const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

  return {
    client,
    /** Creates the tables. */
    async open(): Promise<void> {
      await migratePostgres({ connectionString, schema });
      await client.connect();
    },
    /** Fills the tables, and collects statistics. */
    async fill(sql: string): Promise<void> {
      await client.query(`set search_path = ${schema}; begin; ${sql} commit; analyze`);
    },
    /** Sets the plan mode. All other settings keep their defaults. */
    async use(mode: string): Promise<void> {
      await client.query(`reset all; set search_path = ${schema}; set plan_cache_mode = ${mode}`);
    },
    async close(): Promise<void> {
      await client.end();
      await drop();
    },
    /** Returns whether the server switches to the generic plan after several executions. */
    async isPlannedOnce(run: RunPlanned): Promise<boolean> {
      executions = 7;
      await run(storage.direct);
      executions = 0;
      return keptPlans > 0;
    },
    /** Returns the nodes of a query's plans. Each follows the nodes around it. */
    async nodesOf(
      run: RunPlanned,
      { statements = 1, answer: rows = () => [] }: Pick<PlanConditions, 'statements' | 'answer'> = {},
    ): Promise<readonly PlanNode[]> {
      plans = [];
      answer = rows;
      await run(storage.direct);
      expect(plans).toHaveLength(statements);
      return plans.flatMap(flatten);
    },
  };
}

/** Returns the tables that a plan reads with a sequential scan. */
export function scannedIn(nodes: readonly PlanNode[]): readonly (string | undefined)[] {
  return nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && !isOneRow(node))
    .map((node) => node['Relation Name']);
}

/** Whether a node looks for the deployment, which is one row, or for the name of the database. */
export function isOneRow({ 'Relation Name': name = '' }: PlanNode): boolean {
  return ['ph_deployment', 'pg_database'].includes(name);
}

/**
 * A storage that explains statements instead of running them. It makes all of them while it opens.
 * @param look - called with each statement, and with each part of a combined statement.
 */
export function createExplainedStorage(
  dialect: Dialect,
  explain: Execute,
  look?: (sql: string) => void,
): Storage<never> {
  return makeAtOnce(() => openExplained(dialect, explain), look);
}

function openExplained(dialect: Dialect, explain: Execute): Storage<never> {
  return createKyselyStorage<never, unknown>(dialect, {
    read: (work) => work(explain),
    write: (work) => work({ execute: explain, executeEarly: explain, executeLast: explain }),
    writeWithAsyncCommit: (work) => work(explain),
    adopt: () => explain,
    openForHost: (work) => work(null, explain),
    runAlone: (work) => work(),
    areWritesExclusive: false,
    now: () => 0,
    close: async () => {},
  });
}
