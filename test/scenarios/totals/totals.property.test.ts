/** Totals equal the sums that the stored rows give, whatever happens between two counts and during one. */
import type { ApplicationId, JobId } from '@partner-hiring/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../packages/core/src/domain/time.js';
import { OperatorError } from '../../../packages/core/src/errors.js';
import type { Total } from '../../../packages/core/src/features/totals/rules.js';
import { openTotalsStage, type TotalsStage } from './stage.js';

const RUNS = 20;

type Step =
  | { readonly do: 'submit' | 'publish'; readonly partner: number; readonly employer: number }
  | { readonly do: 'accept' | 'reject' | 'erase' | 'close' | 'reopen'; readonly pick: number }
  | { readonly do: 'revoke' | 'grant'; readonly partner: number; readonly employer: number }
  | { readonly do: 'pass'; readonly hours: number }
  | { readonly do: 'count'; readonly perStep: number }
  | { readonly do: 'count twice at once' }
  | { readonly do: 'kill'; readonly commit: number; readonly isAfter: boolean };

const partner = fc.nat(1);
const employer = fc.nat(1);
const pick = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('submit' as const), partner, employer }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('publish' as const), partner, employer }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('accept' as const, 'reject' as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('erase' as const, 'close' as const, 'reopen' as const),
      pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('revoke' as const, 'grant' as const), partner, employer }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(1, 5, 30, 700) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('count' as const), perStep: fc.constantFrom(1, 2, 500) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('count twice at once' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('kill' as const),
      commit: fc.nat(3),
      isAfter: fc.boolean(),
    }),
  },
);

class Killed extends Error {}

/** Counts until the process is killed before or after a commit. */
async function countAndKill(stage: TotalsStage, commit: number, isAfter: boolean): Promise<void> {
  let commits = 0;
  const transaction: TotalsStage['storage']['transaction'] = async (work) => {
    const isLast = commits === commit;
    commits += 1;
    if (!isLast) return stage.storage.transaction(work);
    if (!isAfter)
      return stage.storage.transaction(async (tx) => {
        await work(tx);
        throw new Killed();
      });
    await stage.storage.transaction(work);
    throw new Killed();
  };
  try {
    await stage.count({ transaction }, 1);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

interface Made {
  readonly applications: ApplicationId[];
  readonly jobs: JobId[];
}

async function run(stage: TotalsStage, made: Made, step: Step): Promise<void> {
  const { operator, partners, employers, publish, submit, pass, count } = stage;
  const at = <Item>(items: readonly Item[], index: number): Item => {
    const item = items[index % items.length];
    if (item === undefined) throw new OperatorError('APPLICATION_NOT_FOUND', 'Nothing to pick.');
    return item;
  };
  switch (step.do) {
    case 'submit': {
      const { jobId } = at(employers, step.employer);
      const id = await submit(at(partners, step.partner), jobId);
      if (id.startsWith('ej_app_')) made.applications.push(id);
      return;
    }
    case 'publish':
      made.jobs.push((await publish(at(employers, step.employer).companyId)).id);
      return;
    case 'accept':
    case 'reject': {
      const id = at(made.applications, step.pick);
      await operator.applications.move({ id });
      const decision = step.do === 'accept' ? 'accepted' : 'rejected';
      await operator.applications.decide({ id, decision });
      return;
    }
    case 'erase':
      await operator.candidates.erase({ applicationId: at(made.applications, step.pick) });
      return;
    case 'close':
      await operator.jobs.close({ id: at(made.jobs, step.pick) });
      return;
    case 'reopen':
      await operator.jobs.reopen({ id: at(made.jobs, step.pick) });
      return;
    case 'revoke':
    case 'grant': {
      const { keyId } = at(partners, step.partner);
      const access = { keyId, companyId: at(employers, step.employer).companyId };
      if (step.do === 'grant') await operator.access.grant(access);
      else await operator.access.revoke(access);
      return;
    }
    case 'pass':
      await pass(step.hours * HOUR_MS);
      return;
    case 'count':
      await count({}, step.perStep);
      return;
    case 'count twice at once':
      await Promise.all([count({}, 2), count(stage.another, 3)]);
      return;
    case 'kill':
      await countAndKill(stage, step.commit, step.isAfter);
  }
}

interface ApplicationRow {
  readonly key_id: string;
  readonly company_id: string;
  readonly status: string;
  readonly submitted_at: number | string;
  readonly last_status_change_at: number | string;
}

interface KeyJobRow extends Pick<ApplicationRow, 'key_id' | 'company_id'> {
  readonly first_shown_at: number | string;
}

const STEPS_IN_HOURS = [
  1, 2, 4, 8, 12, 24, 36, 48, 72, 96, 120, 168, 240, 336, 504, 720, 1440, 2160, 4320, 8760,
];

/** Counts all rows anew. Each line is a sum: key or environment, company or all, day, name and count. */
async function recount({ rows }: TotalsStage): Promise<readonly string[]> {
  const sums = new Map<string, number>();
  const add = (row: Pick<ApplicationRow, 'key_id' | 'company_id'>, at: number | string, name: string) => {
    const day = Math.floor(Number(at) / DAY_MS) * DAY_MS;
    for (const key of [row.key_id, 'production'])
      for (const company of [row.company_id, 'all']) {
        const place = `${key} ${company} ${day} ${name}`;
        sums.set(place, (sums.get(place) ?? 0) + 1);
      }
  };
  for (const row of await rows<ApplicationRow>('select * from ph_application')) {
    add(row, row.submitted_at, 'submitted');
    if (row.status !== 'accepted' && row.status !== 'rejected') continue;
    add(row, row.last_status_change_at, row.status === 'accepted' ? 'hired' : 'rejected');
    const hours = (Number(row.last_status_change_at) - Number(row.submitted_at)) / HOUR_MS;
    add(row, row.last_status_change_at, `within_${STEPS_IN_HOURS.find((most) => hours <= most) ?? 8760}`);
  }
  for (const row of await rows<KeyJobRow>('select * from ph_key_job')) add(row, row.first_shown_at, 'shown');
  return [...sums].map(([place, count]) => `${place} ${count}`).toSorted();
}

async function stored({ rows }: TotalsStage): Promise<readonly string[]> {
  const found = await rows<{ readonly key_id: string; readonly company_id: string } & Omit<Total, 'keyId'>>(
    "select * from ph_total where name not in ('refused', 'delivered')",
  );
  return found
    .map(({ key_id, company_id, day, name, count }) => `${key_id} ${company_id} ${day} ${name} ${count}`)
    .toSorted();
}

it('equal the sums of the rows, with erasures, kills and two workers in between', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 40 }), async (steps) => {
      const stage = await openTotalsStage();
      const made: Made = { applications: [], jobs: [] };
      try {
        for (const each of steps)
          await run(stage, made, each).catch((error: unknown) => {
            if (!(error instanceof OperatorError)) throw error;
          });
        await stage.count();
        const sums = await stored(stage);
        expect(sums).toEqual(await recount(stage));
        for (const id of made.applications) await stage.operator.candidates.erase({ applicationId: id });
        await stage.count();
        expect(await stored(stage)).toEqual(sums);
      } finally {
        await stage.close();
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
