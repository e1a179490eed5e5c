import { explainOnSqlite } from '@partner-hiring/test-support/explained-sqlite';
import { PLANNED_QUERIES } from '@partner-hiring/test-support/plans/all';
import { answerWithHead } from '@partner-hiring/test-support/plans/inbox';
import { KEY, type PlannedRange, type RunPlanned } from '@partner-hiring/test-support/plans/planned-query';
import { describe, expect, it } from 'vitest';

const { plansOf, statements } = explainOnSqlite();

async function planOf(run: RunPlanned): Promise<string> {
  const [plan = '', ...more] = await plansOf(run);
  expect(more).toEqual([]);
  return plan;
}

/** Returns the tables that a plan scans. It may scan rows that the statement itself has made. */
function scannedIn(plan: string): readonly string[] {
  const made = [...plan.matchAll(/^(?:CO-ROUTINE|MATERIALIZE) (\S+)/gm)].map(([, name]) => name);
  const scanned = [...plan.matchAll(/^SCAN (?!CONSTANT ROW)(\S+)(.*)/gm)];
  return scanned.filter(([, name]) => !made.includes(name)).map(([line]) => line);
}

/** Returns the index that a scan reads, or the table. */
function nameOfScan(line: string): string {
  return /INDEX (\S+)$/.exec(line)?.[1] ?? line.replace('SCAN ', '');
}

/** Returns whether a line of a plan reads this range. SQLite names the indexes of keys by their table. */
function readsRange(line: string, { index, bounds }: PlannedRange): boolean {
  const read = /^(SEARCH|SCAN) \S+ USING (?:COVERING )?(?:INDEX )?(PRIMARY KEY|\S+)(?: \((.*)\))?$/.exec(
    line,
  );
  const isKey = /_(pkey|key)$/.test(index);
  const isIndex = isKey ? /^(PRIMARY KEY|sqlite_autoindex_.*)$/.test(read?.[2] ?? '') : read?.[2] === index;
  return isIndex && (read?.[3] ?? '') === bounds;
}

describe('query plans', () => {
  const queries = PLANNED_QUERIES.filter(({ only = 'sqlite' }) => only === 'sqlite');
  it.each(queries.map((query) => [query.name, query] as const))(
    '%s reads only by indexes, and lists in order',
    async (_, query) => {
      const { run, range, statements = 1, beside = [], fromStart = [], answer } = query;
      const plans = await plansOf(run, answer);
      expect(plans).toHaveLength(statements);
      const plan = plans.join('\n');
      if (range === undefined) return expect(scannedIn(plan).map(nameOfScan)).toEqual(fromStart);
      // The deployment is one row.
      const lines = plan.split('\n').filter((line) => !/^SEARCH (ph_)?deployment /.test(line));
      const ranges = lines.filter((line) => readsRange(line, range));
      expect(ranges).toHaveLength(range.merged);
      const others = lines.filter((line) => /^(SEARCH|SCAN) \S+ USING/.test(line) && !ranges.includes(line));
      expect(others).toHaveLength(beside.length);
      expect(lines.filter((line) => line === 'MERGE (UNION ALL)')).toHaveLength(range.merged - 1);
      expect(scannedIn(plan).filter((line) => !ranges.includes(line))).toEqual([]);
      expect(plan).not.toContain('TEMP B-TREE');
    },
  );

  it('the key of an event is found by the index of each log', async () => {
    const [plan = ''] = await plansOf((r) => r.events.findKey('evt_1'));
    expect(plan).toMatch(
      /SEARCH event USING COVERING INDEX sqlite_autoindex_ph_event_\d \(key_id=\? AND id=\?\)/,
    );
  });

  it('leasing reads one event of a log, regardless of its length', async () => {
    const plan = await planOf((r) => r.endpoints.lease({ token: 't', forMs: 9 }, 5, 9));
    expect(plan).toContain('SCAN endpoint USING INDEX ph_endpoint_turn');
    expect(plan).toContain('SEARCH head USING PRIMARY KEY (key_id=?)');
    expect(plan).toContain('SEARCH event USING PRIMARY KEY (key_id=?)');
    expect(plan).toContain('SEARCH delivery USING COVERING INDEX ph_delivery_due (key_id=?)');
    expect(plan).not.toContain('TEMP B-TREE');
  });

  it('counting a backlog reads index ranges', async () => {
    const plan = await planOf((r) => r.endpoints.backlogs(KEY, 5, 9));
    expect(plan.match(/SEARCH event USING PRIMARY KEY \(key_id=\? AND at>\?\)/g)).toHaveLength(2);
    expect(plan.match(/ph_delivery_due \(key_id=\? AND due_at[<>]\?\)/g)).toHaveLength(2);
    expect(plan).toContain('COVERING INDEX ph_delivery_by_key_state (key_id=? AND state=?)');
    expect(
      plan.match(
        /SEARCH delivery USING COVERING INDEX ph_delivery_oldest \(key_id=\? AND pending_since[=>]\?\)/g,
      ),
    ).toHaveLength(2);
    expect(plan).not.toMatch(/SCAN (event|delivery)|TEMP B-TREE/);
  });

  it('counting all backlogs reads only changed feeds and keys with deliveries, by index', async () => {
    const [changed, list] = await plansOf((r) => r.endpoints.backlogs(null, 5, 9));
    expect(changed).toContain('INDEX ph_feed_head_unchecked');
    expect(
      changed?.match(/SEARCH delivery USING (PRIMARY KEY|COVERING INDEX \w+) \(key_id>\?\)/g),
    ).toHaveLength(2);
    expect(list).not.toMatch(/SCAN (event|delivery)/);
  });

  it('the walk over keys with pending résumés reads one task of each', async () => {
    const plan = await planOf((r) => r.resumeFiles.claimOfOthers({ token: 't', forMs: 9 }, 5, 9, [KEY]));
    expect(plan.match(/SEARCH task USING COVERING INDEX ph_resume_task_by_key \(key_id>\?\)/g)).toHaveLength(
      2,
    );
    expect(plan).not.toMatch(/SCAN (task|ph_resume_task)/);
  });

  it('sweeping events reads the oldest of each log', async () => {
    const plan = await planOf((r) => r.events.sweep(5, 9));
    expect(plan).toContain('SEARCH event USING PRIMARY KEY (key_id=?)');
    expect(plan).not.toContain('SCAN event');
  });

  it('sweeping the audit finds the oldest entries and their rows by indexes', async () => {
    const plan = await planOf((r) => r.audit.sweep(500, 9));
    expect(plan).toContain('ph_audit_newest');
    expect(scannedIn(plan)).toEqual([]);
  });

  it('the evidence of a success is found in one range, that of first attempts in order', async () => {
    const [covering, replaced] = await plansOf((r) => r.evidence.find([{ keyId: KEY, at: 5 }]));
    expect(covering).toContain('PRIMARY KEY (key_id=? AND replaced=? AND last_at>?)');
    expect(replaced).toContain(
      'PRIMARY KEY (key_id=? AND (replaced,last_at)>(?,?) AND (replaced,last_at)<(?,?))',
    );
    expect(covering).not.toContain('TEMP B-TREE');
  });

  it('new entries of the inbox are one ordered range behind the position', async () => {
    const claim = { keyIds: [KEY], now: 9, limit: 9 };
    const plans = await plansOf((r) => r.inbox.claim(claim), answerWithHead);
    const unread = plans.find((plan) => plan.includes('at>?'));
    expect(unread).toContain('PRIMARY KEY (key_id=? AND at>?)');
    expect(unread).not.toContain('TEMP B-TREE');
  });

  it('no limit is bound directly, which would make SQLite plan the statement again', () => {
    const limits = statements.flatMap((sql) => sql.match(/ limit (?!1\b).*?(?=$|\)| as )/g) ?? []);
    expect(limits).toContain(' limit ? + 0');
    expect(limits.filter((limit) => !/^ limit (\?|\d+) \+ 0$/.test(limit))).toEqual([]);
  });
});
