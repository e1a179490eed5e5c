import { isError } from '../../domain/any-realm.js';
import { isHighPay } from '../../domain/high-pay.js';
import { type CompanyId, isIdOf, type JobId } from '../../domain/ids.js';
import type { RefusedRow, SyncRow } from '../../domain/source-row.js';
import {
  flag,
  isTextUpTo,
  name,
  optional,
  orNull,
  prefixedId,
  value,
} from '../../operator/command/fields.js';
import { type BrokenRule, object, problemsOf } from '../../operator/command/input.js';
import { completeDetails, type JobDetailsInput } from './job-details.js';
import { jobDetails } from './job-fields.js';

/** An open job of a source. Name its company by `companyId` or by `company`. */
export interface SourceJob extends JobDetailsInput {
  /** The job's id: `job_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`. */
  readonly id: JobId;
  /** A company that exists; omitted with `company`. */
  readonly companyId?: CompanyId | null | undefined;
  /** A company that is created if it does not exist, and renamed if its name has changed. */
  readonly company?: { readonly id: CompanyId; readonly name: string } | null | undefined;
  /**
   * Your own version of the row, such as a counter or the time of its last change; default: none, so that fields are
   * compared. A row whose version is the same as last time is skipped, and its fields are not compared. Change it
   * whenever a field of the row changes.
   */
  readonly version?: string | number | null | undefined;
  /** Whether to hide the job from partners; if omitted, the job stays as it is, and a new job is not hidden. */
  readonly internalOnly?: boolean | null | undefined;
}

/**
 * The jobs of a platform, in any order. An `Error` stands for a row that you cannot read, such as a line of a file that is
 * not JSON. It is a refused row without an id, with the message of the error.
 */
export type JobSource = Iterable<SourceJob | Error> | AsyncIterable<SourceJob | Error>;

const VERSION_MAX_LENGTH = 200;

function isVersion(given: unknown): given is string | number {
  return typeof given === 'number'
    ? Number.isFinite(given)
    : isTextUpTo(given, VERSION_MAX_LENGTH) && given !== '';
}

/** The fields of a row. */
export const sourceJob = {
  id: prefixedId('job'),
  companyId: optional(orNull(prefixedId('company'))),
  company: optional(orNull(object({ id: prefixedId('company'), name: name() }))),
  version: optional(
    orNull(
      value<string | number>(isVersion, `must be text of 1 to ${VERSION_MAX_LENGTH} characters, or a number`),
    ),
  ),
  internalOnly: optional(orNull(flag), 'Hides the job from all partners'),
  ...jobDetails,
};

/** The rules of a row. */
export function sourceJobRules({
  companyId,
  company,
}: Pick<SourceJob, 'companyId' | 'company'>): readonly BrokenRule[] {
  return ((companyId ?? null) === null) === ((company ?? null) === null)
    ? [{ rule: 'must have either companyId or company' }]
    : [];
}

const ROW = object(sourceJob, sourceJobRules);

/** Returns the version of a valid row as it is stored. Null if the row has none. */
export function versionOf({ version }: Pick<SourceJob, 'version'>): string | null {
  return isVersion(version) ? String(version) : null;
}

/** The parts of a row that are read before its check. An unchanged row needs no check. */
export interface RowHead {
  readonly row: unknown;
  /** Null if the row has no id of a job. */
  readonly id: JobId | null;
  readonly companyId: CompanyId | null;
  readonly companyName: string | null;
  readonly version: string | null;
  readonly isHighPay: boolean;
}

export function readHead(row: unknown): RowHead {
  const isReadable = typeof row === 'object' && row !== null && !isError(row);
  const fields: Partial<SourceJob> = isReadable ? row : {};
  const { id, companyId, company, version, compensation } = fields;
  return {
    row,
    id: typeof id === 'string' && isIdOf('job', id) ? id : null,
    companyId: companyIdOf(company?.id ?? companyId),
    companyName: typeof company?.name === 'string' ? company.name : null,
    version: versionOf({ version }),
    isHighPay: isHighPay(compensation),
  };
}

/** Other texts must not reach the storage: PostgreSQL rejects some of them, and one bad row would fail the run. */
function companyIdOf(given: unknown): CompanyId | null {
  return typeof given === 'string' && isIdOf('company', given) ? given : null;
}

/** Checks a row. */
export function checkRow(head: RowHead): SyncRow | RefusedRow {
  if (isError(head.row)) return refuseUnreadable(head.row);
  const problems = problemsOf(ROW, head.row, '', 'the row');
  if (problems.length > 0) return refuseInvalid(head, problems);
  const job = head.row as SourceJob;
  const { id, companyId } = head;
  // Only for the compiler: a valid row has both.
  if (id === null || companyId === null) return refuseInvalid(head, ['the row is not a job']);
  const { companyName, version } = head;
  return {
    id,
    companyId,
    companyName,
    version,
    internalOnly: job.internalOnly ?? null,
    details: completeDetails(job),
  };
}

const MESSAGE_LENGTH = 500;

function refuseUnreadable({ message }: Error): RefusedRow {
  return { id: null, code: 'INVALID_INPUT', message: message.slice(0, MESSAGE_LENGTH) };
}

const PROBLEMS_NAMED = 10;
const ID_LENGTH = 200;

function refuseInvalid({ row }: RowHead, problems: readonly string[]): RefusedRow {
  const id: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'id') : null;
  const named = problems.slice(0, PROBLEMS_NAMED).join('; ');
  const rest = problems.length - PROBLEMS_NAMED;
  return {
    id: typeof id === 'string' ? id.slice(0, ID_LENGTH) : null,
    code: 'INVALID_INPUT',
    message: `${named}${rest > 0 ? `; and ${rest} more` : ''}.`,
  };
}
