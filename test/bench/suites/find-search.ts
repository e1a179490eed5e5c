import type { SearchResult } from '@partner-hiring/core';

/** Searches by one text. */
export type Search = (text: string) => Promise<SearchResult>;

const GOAL_MS = 100;
/** Of so many applications, one has a job of its own. */
const PER_JOB = 5;
/** Titles have a word that all have, and one of so many others. */
const TITLES = 2_000;

const LETTERS = 'abcdefghij';

/** Writes a number with letters, which sort as its digits do: names of people have no digits. */
export function lettersOf(number: string): string {
  return [...LETTERS].reduce(
    (text, letter, digit) => `replace(${text}, '${digit}', '${letter}')`,
    `cast(${number} as text)`,
  );
}

function lettersIn(number: number): string {
  return [...String(number)].map((digit) => LETTERS[Number(digit)]).join('');
}

/** Adds jobs with titles, and their words. The same text runs on both databases. */
export function fillNamesSql(rows: number, schema: string): readonly string[] {
  const numbers = `with recursive numbers (n) as
    (select cast(1 as bigint) union all select n + 1 from numbers where n < ${Math.ceil(rows / PER_JOB)})`;
  const title = `'word' || (n * 7919 % ${TITLES})`;
  const words = ["'picker'", "'night'", title].map(
    (word) => `${numbers} insert into ${schema}ph_name_word (id, word, kind)
      select 'job_bench_' || n, ${word}, 'job' from numbers`,
  );
  return [
    `${numbers} insert into ${schema}ph_job (id, company_id, title, city, region, country, pay_type, pay_currency,
      headcount_filled, state, internal_only, created_at, updated_at)
      select 'job_bench_' || n, 'co_find', 'Night picker ' || ${title}, 'Reno', 'NV', 'US', 'hourly', 'USD', 0, 'closed', 0, n, n
      from numbers`,
    ...words,
  ];
}

/** A text for each kind of look-up, and the group that must have rows. */
const TEXTS: readonly (readonly [name: string, textOf: (number: number) => string, keyof SearchResult])[] = [
  ['both names', (number) => `ada name${lettersIn(number % 1_000)}`, 'applications'],
  ['both names, the other order', (number) => `Name${lettersIn(number % 1_000)}, Ada`, 'people'],
  ['a name that all begin with', () => 'ada name', 'applications'],
  ['an e-mail address', () => 'ada@example.org', 'people'],
  ['a phone number', () => '+14155550123', 'people'],
  ["the partner's own id", (number) => `source-${1 + (number % 1_000)}`, 'applications'],
  ['an id', () => 'job_find', 'jobs'],
  ['a partner', () => 'find ats', 'partners'],
  ['a company', () => 'find inc', 'companies'],
  ['a rare word of titles', (number) => `word${(number * 7_919) % TITLES} picker`, 'jobs'],
  ['a word of all titles', () => 'picker', 'jobs'],
  ['two words of all titles', () => 'night picker', 'jobs'],
];

/** Prints the median and the 95th percentile of each search on the server, in milliseconds. */
export async function benchSearch(storage: string, search: Search, calls: number): Promise<void> {
  console.log('\n| Storage | search by | median | p95 | goal |\n|---|---|---|---|---|');
  for (const [name, textOf, group] of TEXTS) {
    const times: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      const begun = performance.now();
      const found = await search(textOf(call));
      times.push(performance.now() - begun);
      if (found[group].length === 0) throw new Error(`The search by ${name} found nothing.`);
    }
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
    console.log(`| ${storage} | ${name} | ${at(0.5)} | ${at(0.95)} | at most ${GOAL_MS} ms |`);
  }
}
