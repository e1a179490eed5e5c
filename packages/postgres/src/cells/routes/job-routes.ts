import type { Company, Job, JobRepository, Repositories } from '@partner-hiring/core/ports';
import type { BoundCells } from '../routing/cells.js';
import { all } from '../routing/merge.js';
import { type Asked, each, home, type RoutesOf } from '../routing/route.js';

/** In every cell. The home cell answers, except to a key, which asks its own cell. */
export const jobs: RoutesOf<JobRepository> = {
  add: (asked, written) => write(asked, written, (existing) => existing.length > 0),
  save: (asked, written) => write(asked, written, () => false),
  find: home,
  findOutlines: home,
  list: home,
  listOpenOutlines: home,
  listOfCompany: home,
  listUnknownCountries: home,
  countOfCompany: home,
  findForSubmissions: each(
    'key',
    ({ keyId }) => keyId,
    ({ secret, job }) => secret === null || job === null || job.access === null,
  ),
};

/** Writes in the home cell first, which orders concurrent writes of the same job. */
function write<T>(
  { cells, call }: Asked<[jobs: readonly Job[]], T>,
  written: readonly Job[],
  isDone: (result: T) => boolean,
): Promise<T> {
  const run = async (bound: BoundCells) => {
    const home = bound.cell(0);
    const result = await call(home, written);
    if (isDone(result) || written.length === 0) return result;
    const ids = [...new Set(written.map(({ companyId }) => companyId))];
    const companies = (await home.companies.findMany(ids)).filter((company) => company !== null);
    const others = Array.from({ length: bound.count - 1 }, (_, index) => bound.cell(index + 1));
    await all(others.map((cell) => copyTo(cell, companies, written)));
    return result;
  };
  return cells.bound.alone === null ? run(cells.bound) : cells.bound.alone.write(run);
}

/** Copies jobs to a cell that may be new, and so may lack their companies. */
async function copyTo(
  { companies, jobs }: Repositories,
  ofJobs: readonly Company[],
  written: readonly Job[],
): Promise<void> {
  await all<unknown>([companies.addMissing(ofJobs), jobs.save(written)]);
}
