/** Each method of each repository has a rule that says which cells it calls. */
import { describe, expect, it } from 'vitest';
import type { Cells } from '../../packages/storage-kysely/src/cells/cells.js';
import { combineCells } from '../../packages/storage-kysely/src/cells/combine.js';

/** Stands for any argument and result. */
const anything: never = new Proxy(() => {}, {
  get: (_target, name) => {
    if (name === Symbol.iterator) return function* () {};
    if (name === Symbol.toPrimitive) return () => 'text';
    return name === 'then' ? undefined : anything;
  },
  has: () => true,
  apply: () => anything,
}) as never;

const HELPERS = [
  'of',
  'each',
  'split',
  'splitLoosely',
  'group',
  'groupAfresh',
  'writeAll',
  'readAll',
  'inTurn',
  'countInTurn',
];

/** Returns cells that note which rule a call uses. The last one is the home cell. */
function noteRules(note: (rule: string) => void): Cells {
  const noting = (rule: string) => async () => {
    note(rule);
    return [];
  };
  const home = new Proxy({}, { get: () => new Proxy({}, { get: () => noting('home') }) });
  return {
    ...Object.fromEntries(HELPERS.map((name) => [name, noting(name)])),
    home,
    rerouted: (call: () => Promise<unknown>) => call(),
    placement: { moves: noting('moves'), choose: noting('placement') },
    bound: {
      count: 2,
      session: anything,
      cell: () => home,
      cellWithoutCommit: () => home,
      alone: { read: noting('transaction'), write: noting('transaction') },
    },
  } as unknown as Cells;
}

/** The methods that do not go to the cell of a key, by rule. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  home: [
    'companies.find',
    'companies.findForUpdate',
    'companies.list',
    'jobs.find',
    'jobs.listOfCompany',
    'jobs.countOfCompany',
    'names.ofCompanies',
    'names.ofJobs',
    'inbox.isOn',
    'work.announce',
  ],
  'every cell': ['companies.add', 'companies.save', 'inbox.turn', 'inbox.retryParked', 'alerts.settle'],
  'own transaction': ['partners.add', 'jobs.add', 'jobs.save'],
  'all cells': [
    'partners.list',
    'keys.list',
    'access.listOfCompanies',
    'keyJobs.listOfJobs',
    'applications.listNewest',
    'applications.listBySourceId',
    'applications.listByLastName',
    'applications.listErased',
    'candidates.listByEmail',
    'candidates.listBySpelling',
    'candidates.listByPhone',
    'candidates.walk',
    'candidates.listPostponed',
    'resumeRemovals.counts',
    'feed.listHeads',
    'events.findKey',
    'events.listUnsent',
    'endpoints.list',
    'endpoints.states',
    'endpoints.listFailing',
    'endpoints.countFailing',
    'endpoints.backlogs',
    'deliveries.list',
    'inbox.findKeys',
    'inbox.listParked',
    'inbox.counts',
    'requests.list',
    'work.findNext',
    'work.findExpired',
  ],
  'in turn': [
    'applications.fillLastNameKeys',
    'candidates.fillEmailKeys',
    'resumeFiles.claim',
    'resumeFiles.claimOfOthers',
    'resumeRemovals.claim',
    'submissions.sweep',
    'rateWindows.sweep',
    'events.sweep',
    'endpoints.listToWarn',
    'endpoints.lease',
    'endpoints.markIdle',
    'deliveries.sweep',
    'evidence.sweep',
    'alerts.claim',
    'inbox.sweepReceipts',
    'requests.sweep',
    'requests.sweepReads',
  ],
};

const RULES: Readonly<Record<string, string>> = {
  home: 'home',
  writeAll: 'every cell',
  transaction: 'own transaction',
  readAll: 'all cells',
  inTurn: 'in turn',
  countInTurn: 'in turn',
};

/** All of their methods belong to the home cell. */
const OF_HOME = ['operations', 'audit', 'hourCounts', 'workers', 'facts', 'time'];

async function ruleOf(repository: string, method: string, argument: unknown): Promise<string | null> {
  const rules: string[] = [];
  const combined = combineCells(noteRules((rule) => void rules.push(rule))) as unknown as Readonly<
    Record<string, Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>>
  >;
  // The result of a cell does not fit, so the call may fail after it has chosen the cell.
  const call = async () => combined[repository]?.[method]?.(argument, anything, anything);
  await call().catch(() => {});
  const [first] = rules;
  return first === undefined ? null : (RULES[first] ?? 'key');
}

const empty = noteRules(() => {});
const repositories = Object.entries(combineCells(empty)).filter(([name]) => !OF_HOME.includes(name));

describe.each(repositories)('the repository %s', (repository, methods) => {
  it.each(Object.keys(methods))('routes %s', async (method) => {
    const name = `${repository}.${method}`;
    const expected = Object.entries(OTHERS).find(([, names]) => names.includes(name))?.[0] ?? 'key';
    // Some methods take a key or null, and ask all cells for null.
    const rules = [await ruleOf(repository, method, anything), await ruleOf(repository, method, null)];
    const nullable = { scope: null, keyId: null, after: null };
    rules.push(await ruleOf(repository, method, nullable), await ruleOf(repository, method, [anything]));
    expect(rules).toContain(expected);
  });
});

it('takes the repositories of the host from the home cell', () => {
  const combined = combineCells(empty) as unknown as Readonly<Record<string, unknown>>;
  expect(Object.keys(combined)).toEqual(expect.arrayContaining(OF_HOME));
});
