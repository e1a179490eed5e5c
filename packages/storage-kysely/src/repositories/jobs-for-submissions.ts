import type {
  Environment,
  FoundForSubmission,
  Instant,
  JobForKey,
  JobId,
  JobRepository,
} from '@partner-hiring/core/ports';
import type { Expression } from 'kysely';
import { leaseClock } from '../lease-clock.js';
import { defineLookUps, type Item } from '../look-ups.js';
import { inOrder, pairKey } from '../mapping.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Param } from '../statement.js';
import type { Row } from '../table.js';
import { ACCESS, JOBS } from '../tables/index.js';

interface AskedJob {
  readonly secret_hash: string;
  readonly job_id: string;
}

export const prepareJobsForSubmissions: Prepare<Pick<JobRepository, 'findForSubmissions'>> = (
  preparation,
) => {
  const findForSubmissions = defineFindForSubmissions(preparation);
  const { now } = preparation;

  return {
    findForSubmissions: (session, asked) =>
      session.read(async (run) => {
        const keys = asked.map(({ secretHash, jobId }) => pairKey(secretHash, jobId));
        // Removes duplicates, because many submissions are for the same job.
        const distinct = new Map<string, AskedJob>();
        for (const { secretHash, jobId } of asked) {
          distinct.set(pairKey(secretHash, jobId), { secret_hash: secretHash, job_id: jobId });
        }
        const { rows } = await run.batch(findForSubmissions, [...distinct.values()], { now: now() });
        const found = inOrder(keys, rows, (row) => pairKey(row.hash, row.asked_job_id), toFound);
        return found.map((each) => each ?? { secret: null, job: null });
      }),
  };
};

function defineFindForSubmissions(preparation: Preparation) {
  const { queries } = preparation;
  return defineLookUps(
    preparation,
    { secret_hash: 'text', job_id: 'text' },
    (item: Item<AskedJob>, param: Param<{ now: Instant }>) =>
      queries
        .selectFrom('ph_key_secret as secret')
        .innerJoin('ph_partner_key as key', 'key.id', 'secret.key_id')
        .innerJoin('ph_partner as partner', 'partner.id', 'key.partner_id')
        .leftJoin('ph_job as job', (join) => join.on('job.id', '=', item('job_id') as Expression<JobId>))
        .leftJoin('ph_company as company', 'company.id', 'job.company_id')
        .leftJoin('ph_access as access', (join) =>
          join.onRef('access.key_id', '=', 'secret.key_id').onRef('access.company_id', '=', 'job.company_id'),
        )
        .selectAll('job')
        .select([
          'secret.hash',
          'secret.key_id',
          'secret.expires_at',
          'secret.revoked_at as secret_revoked_at',
        ])
        .select(['partner.disabled_at', leaseClock(preparation, param('now')).as('read_at')])
        .select([
          item('job_id').as('asked_job_id'),
          'company.name as company_name',
          'company.environment as company_environment',
          'company.created_at as company_created_at',
          'access.granted_at',
          'access.revoked_at',
          'access.bootstrap_until',
        ])
        .where('secret.hash', '=', item('secret_hash')),
  );
}

interface FoundRow {
  readonly hash: string;
  readonly asked_job_id: string;
  readonly expires_at: Instant | null;
  readonly secret_revoked_at: Instant | null;
  readonly disabled_at: Instant | null;
  readonly read_at: Instant;
  /** Null if the job does not exist. Its other columns are then null too. */
  readonly id: JobId | null;
}

function toFound(row: FoundRow): FoundForSubmission {
  const {
    expires_at: expiresAt,
    secret_revoked_at: revokedAt,
    disabled_at: disabledAt,
    read_at: readAt,
  } = row;
  return {
    secret: { secret: { expiresAt, revokedAt }, disabledAt, readAt },
    job: row.id === null ? null : toJobForKey(row as unknown as JobForKeyRow),
  };
}

interface JobForKeyRow extends Row<typeof JOBS>, Omit<Row<typeof ACCESS>, 'granted_at'> {
  company_name: string;
  company_environment: Environment;
  company_created_at: Instant;
  /** Null if the key has no access record. The other columns of the record are then null too. */
  granted_at: Instant | null;
}

function toJobForKey(row: JobForKeyRow): JobForKey {
  const { company_id: companyId, granted_at: grantedAt } = row;
  return {
    job: JOBS.toValue(row),
    company: {
      id: companyId,
      name: row.company_name,
      environment: row.company_environment,
      createdAt: row.company_created_at,
    },
    access: grantedAt === null ? null : ACCESS.toValue({ ...row, granted_at: grantedAt }),
  };
}
