import type {
  Access,
  AccessRepository,
  Company,
  CompanyRepository,
  Job,
  JobForKey,
  JobRepository,
  KeyJobRepository,
  Repositories,
} from '@partner-hiring/core/ports';
import type { BoundCells, Cells } from './cells.js';
import { all } from './merge.js';

/** Every cell has all companies. The home cell answers, and its rows are the ones that commands lock. */
export function companiesOf(cells: Cells): CompanyRepository {
  const { home } = cells;
  return {
    add: async (company) => {
      const [added = 'added'] = await cells.writeAll((cell) => cell.companies.add(company));
      return added;
    },
    find: (id) => home.companies.find(id),
    findForUpdate: (ids) => home.companies.findForUpdate(ids),
    save: async (company) => void (await cells.writeAll((cell) => cell.companies.save(company))),
    list: (page) => home.companies.list(page),
  };
}

/** Every cell has all jobs. The home cell answers, except to a key, which asks its own cell. */
export function jobsOf(cells: Cells): JobRepository {
  const { home } = cells;

  /** Writes in the home cell first, which orders concurrent writes of the same job. */
  function write<T>(
    written: readonly Job[],
    inHome: (first: Repositories) => Promise<T>,
    isDone: (result: T) => boolean,
  ): Promise<T> {
    const run = async (bound: BoundCells) => {
      const result = await inHome(bound.cell(0));
      if (isDone(result) || written.length === 0) return result;
      const ids = [...new Set(written.map(({ companyId }) => companyId))];
      const found = await all(ids.map((id) => bound.cell(0).companies.find(id)));
      const companies = found.filter((company) => company !== null);
      const others = Array.from({ length: bound.count - 1 }, (_, index) => bound.cell(index + 1));
      await all(others.map((cell) => copyTo(cell, companies, written)));
      return result;
    };
    return cells.bound.alone === null ? run(cells.bound) : cells.bound.alone.write(run);
  }

  return {
    add: (added) =>
      write(
        added,
        (first) => first.jobs.add(added),
        (existing) => existing.length > 0,
      ),
    save: (saved) =>
      write(
        saved,
        (first) => first.jobs.save(saved),
        () => false,
      ),
    find: (ids) => home.jobs.find(ids),
    listOfCompany: (companyId, state, page) => home.jobs.listOfCompany(companyId, state, page),
    countOfCompany: (companyId, state) => home.jobs.countOfCompany(companyId, state),
    findForKeys: (pairs) =>
      cells.each<(typeof pairs)[number], JobForKey | null>(
        'key',
        pairs,
        ({ keyId }) => keyId,
        (cell, own) => cell.jobs.findForKeys(own),
        (found) => found === null || found.access === null,
      ),
  };
}

/** Copies jobs to a cell that may be new, and so may lack their companies. */
async function copyTo(
  { companies, jobs }: Repositories,
  ofJobs: readonly Company[],
  written: readonly Job[],
): Promise<void> {
  await all([...ofJobs.map((company) => companies.add(company)), jobs.save(written).then(() => 'added')]);
}

/** Access lives in the cell of its key. */
export function accessOf(cells: Cells): AccessRepository {
  return {
    find: (keyId, companyId) => cells.of('key', keyId, ({ access }) => access.find(keyId, companyId)),
    save: (saved) => cells.of('key', saved.keyId, ({ access }) => access.save(saved)),
    listOfCompanies: async (ids) => {
      const lists = await cells.readAll(({ access }) => access.listOfCompanies(ids));
      return distinct(lists.flat(), ({ keyId, companyId }: Access) => `${keyId} ${companyId}`);
    },
    listOfKey: (keyId, page) => cells.of('key', keyId, ({ access }) => access.listOfKey(keyId, page)),
  };
}

/** How keys see jobs is in the cell of each key. */
export function keyJobsOf(cells: Cells): KeyJobRepository {
  return {
    find: (keyId, jobId) => cells.of('key', keyId, ({ keyJobs }) => keyJobs.find(keyId, jobId)),
    listOfJobs: async (ids) => {
      const lists = await cells.readAll(({ keyJobs }) => keyJobs.listOfJobs(ids));
      return distinct(lists.flat(), ({ keyId, jobId }) => `${keyId} ${jobId}`);
    },
    listOfCompany: (keyId, companyId) =>
      cells.of('key', keyId, ({ keyJobs }) => keyJobs.listOfCompany(keyId, companyId)),
    save: async (rows) => {
      await cells.split(
        'key',
        rows,
        ({ keyId }) => keyId,
        ({ keyJobs }, own) => keyJobs.save(own),
      );
    },
    // A key without a feed head is not in the cell.
    page: (query) =>
      cells.of(
        'key',
        query.keyId,
        ({ keyJobs }) => keyJobs.page(query),
        ({ head }) => head === 0,
      ),
  };
}

function distinct<Row>(rows: readonly Row[], nameOf: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [nameOf(row), row])).values()];
}
