import type { CompanyId, JobId } from '../../domain/ids.js';
import type { SeeCompanies } from '../../operator/command/gate-rule.js';

/** An application with names that belong to its ids. */
interface NamedApplication {
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly jobId: JobId;
  readonly jobTitle: string;
}

/**
 * Replaces the names of a company that the partners no longer see, and of its jobs, by their ids. The names in a row
 * are the current ones, not those at the application's submission.
 */
export async function narrowApplications<Row extends NamedApplication>(
  rows: readonly Row[],
  sees: SeeCompanies,
): Promise<readonly Row[]> {
  const seen = await sees([...new Set(rows.map(({ companyId }) => companyId))]);
  return rows.map((row) =>
    seen.has(row.companyId) ? row : { ...row, companyName: row.companyId, jobTitle: row.jobId },
  );
}
