import type { CompanyId, JobId } from './ids.js';
import type { JobDetails } from './job.js';

/**
 * Why a row was refused: `INVALID_INPUT`; `DUPLICATE_ID`, an earlier row has its id; `COMPANY_NOT_FOUND`;
 * `ENVIRONMENT_MISMATCH`, its company is of the sandbox; `JOB_EXISTS`, a sandbox job has its id.
 */
export type SyncRefusalCode =
  | 'COMPANY_NOT_FOUND'
  | 'DUPLICATE_ID'
  | 'ENVIRONMENT_MISMATCH'
  | 'INVALID_INPUT'
  | 'JOB_EXISTS';

/** A row that a sync did not take. */
export interface RefusedRow {
  /** The row's id; null if it is no text. */
  readonly id: string | null;
  readonly code: SyncRefusalCode;
  /** Says how to fix the row. */
  readonly message: string;
}

/** A checked row of a source. */
export interface SyncRow {
  readonly id: JobId;
  readonly companyId: CompanyId;
  /** Null if the row does not name its company. */
  readonly companyName: string | null;
  readonly version: string | null;
  /** Null if the row does not say it. */
  readonly internalOnly: boolean | null;
  readonly details: JobDetails;
}
