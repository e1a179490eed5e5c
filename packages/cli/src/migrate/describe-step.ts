/** What a step does to tables in use. */
export interface StepEffect {
  /**
   * Whether requests continue while the step runs. They do if it builds or drops an index concurrently, or only adds
   * tables.
   */
  readonly isOnline: boolean;
  /** For people, such as `changes ph_job: its readers and writers wait for a moment`. */
  readonly effect: string;
}

interface Statement {
  readonly pattern: RegExp;
  readonly isOnline: boolean;
  describe(names: Readonly<Record<string, string>>): string;
}

/**
 * The locks that each kind of statement takes on PostgreSQL. Tables that the same step creates are not in use, so their
 * locks do not matter.
 */
const STATEMENTS: readonly Statement[] = [
  {
    pattern: /^create (?:unique )?index concurrently (?<index>\w+)\s+on (?<table>\w+)/,
    isOnline: true,
    describe: ({ index, table }) => `builds ${index}: ${table} can be read and written meanwhile`,
  },
  {
    pattern: /^drop index concurrently (?<index>\w+)/,
    isOnline: true,
    describe: ({ index }) => `drops ${index}: its table can be read and written meanwhile`,
  },
  {
    pattern: /^create table (?<table>\w+)/,
    isOnline: true,
    describe: ({ table }) => `creates ${table}`,
  },
  {
    pattern: /^create (?:unique )?index (?<index>\w+)\s+on (?<table>\w+)/,
    isOnline: false,
    describe: ({ index, table }) => `builds ${index}: writers of ${table} wait`,
  },
  {
    pattern: /^alter table (?<table>\w+)\s+validate constraint/,
    isOnline: true,
    describe: ({ table }) => `checks the rows of ${table}, which can be read and written meanwhile`,
  },
  {
    pattern: /^alter table (?<table>\w+)/,
    isOnline: false,
    describe: ({ table }) => `changes ${table}: its readers and writers wait for a moment`,
  },
  {
    pattern: /^drop (?:table|index) (?<name>\w+)/,
    isOnline: false,
    describe: ({ name }) => `drops ${name}: readers and writers of its table wait for a moment`,
  },
  {
    pattern: /^(?:insert into|update|delete from) (?<table>\w+)/,
    isOnline: true,
    describe: ({ table }) => `writes rows of ${table}`,
  },
];

/** Returns what a migration does to tables in use on PostgreSQL. */
export function describePostgresStep(sql: string): StepEffect {
  const statements = statementsIn(sql);
  const created = new Set(statements.flatMap((text) => /^create table (\w+)/.exec(text)?.[1] ?? []));
  const effects = statements.map((text) => describeStatement(text, created)).filter((each) => each !== null);
  return {
    isOnline: effects.every(({ isOnline }) => isOnline),
    effect: effects.map(({ effect }) => effect).join('; '),
  };
}

function describeStatement(text: string, created: ReadonlySet<string>): StepEffect | null {
  for (const { pattern, isOnline, describe } of STATEMENTS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { groups = {} } = match;
    const isNew = groups.table !== undefined && created.has(groups.table);
    if (isNew && !text.startsWith('create table')) return null;
    return { isOnline, effect: describe(groups) };
  }
  return { isOnline: false, effect: `runs \`${text.slice(0, LONGEST_SHOWN)}\`` };
}

const LONGEST_SHOWN = 60;

/** Splits a migration into its statements. Our migrations have no semicolon within a text. */
function statementsIn(sql: string): readonly string[] {
  return sql
    .replace(/--[^\n]*/g, '')
    .split(';')
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}
