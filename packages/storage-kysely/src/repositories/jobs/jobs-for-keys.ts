import type {
  Environment,
  Instant,
  JobForKey,
  JobId,
  JobRepository,
  KeyId,
} from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { lookUpEach } from '../../each-item.js';
import { inOrder, pairKey } from '../../in-order.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { JobTable } from '../../schema.js';
import { define, type Param } from '../../statement.js';
import { toJob } from './job-rows.js';

/** A job, and the key that asks for it. */
interface JobPair {
  readonly key_id: KeyId;
  readonly job_id: JobId;
}

/** Jobs as keys apply to them. */
export const prepareJobsForKeys: Prepare<Pick<JobRepository, 'findForKeys'>> = (preparation) => {
  const findForKeys = defineFindForKeys(preparation);

  return (session) => ({
    findForKeys: (pairs) =>
      session.read(async (run) => {
        const keys = pairs.map(({ keyId, jobId }) => pairKey(keyId, jobId));
        // Candidates come in crowds for one job: it is read once.
        const distinct = new Map(pairs.map(({ keyId, jobId }) => [pairKey(keyId, jobId), { keyId, jobId }]));
        const asked = [...distinct.values()].map(({ keyId, jobId }) => ({ key_id: keyId, job_id: jobId }));
        const { rows } = await run.batch(findForKeys, asked, {});
        return inOrder(keys, rows, (row) => pairKey(row.key_id, row.id), toJobForKey);
      }),
  });
};

/** Finds jobs, each with its company and a key's access to it. */
export function defineFindForKeys(preparation: Preparation) {
  const { queries } = preparation;
  return define((param: Param<{ rows: JsonRows<JobPair> }>) =>
    lookUpEach(preparation, param('rows'), { key_id: 'text', job_id: 'text' }, (item) =>
      queries
        .selectFrom('ph_job as job')
        .innerJoin('ph_company as company', 'company.id', 'job.company_id')
        .leftJoin('ph_access as access', (join) =>
          join.on('access.key_id', '=', item('key_id')).onRef('access.company_id', '=', 'job.company_id'),
        )
        .selectAll('job')
        .select([
          item('key_id').as('key_id'),
          'company.name as company_name',
          'company.world as company_world',
          'company.created_at as company_created_at',
          'access.granted_at',
          'access.revoked_at',
          'access.bootstrap_until',
        ])
        .where('job.id', '=', item('job_id')),
    ),
  );
}

/** What {@link defineFindForKeys} finds for a pair. */
interface JobForKeyRow extends JobTable {
  key_id: KeyId;
  company_name: string;
  company_world: Environment;
  company_created_at: Instant;
  /** Null, and the other two with it, if there is no access record. */
  granted_at: Instant | null;
  revoked_at: Instant | null;
  bootstrap_until: Instant | null;
}

/** The job that a row tells of. */
function toJobForKey(row: JobForKeyRow): JobForKey {
  const { company_id: companyId, granted_at: grantedAt } = row;
  return {
    job: toJob(row),
    company: {
      id: companyId,
      name: row.company_name,
      environment: row.company_world,
      createdAt: row.company_created_at,
    },
    access:
      grantedAt === null
        ? null
        : {
            keyId: row.key_id,
            companyId,
            grantedAt,
            revokedAt: row.revoked_at,
            bootstrapUntil: row.bootstrap_until,
          },
  };
}
