import type { LoggedField, LoggedFieldCode } from '../../domain/answered-request.js';
import type { ApplicationId, CompanyId, JobId, KeyId, PartnerId } from '../../domain/ids.js';
import type { AuthorizationFault, Environment } from '../../domain/partner-key.js';
import {
  explainRefusal,
  type RequestRefusal,
  WIRE_ERRORS,
  type WireErrorCode,
} from '../../domain/wire-errors.js';
import { labelKey } from '../../operator/names.js';
import type { PageOptions, TimeRange } from '../../operator/page-cursor.js';
import type { Repositories } from '../../ports/storage.js';
import type { RequestRecord } from './rules.js';

/**
 * Selects requests, newest first. At most one of `keyId`, `partnerId` and `applicationId` may be set, with or without the
 * other fields.
 */
export interface RequestFilter extends PageOptions, TimeRange {
  /** Only requests with this key; default: with all. */
  readonly keyId?: KeyId | undefined;
  /** Only requests with the keys of this partner; default: with all. */
  readonly partnerId?: PartnerId | undefined;
  /**
   * Only requests that created the application, got its reply again, or were refused as its duplicate; default: all.
   */
  readonly applicationId?: ApplicationId | undefined;
  /** Only refused submissions to this job; default: all requests. */
  readonly jobId?: JobId | undefined;
  /** Only requests that were answered with this status; default: all. */
  readonly status?: number | undefined;
  /** Only requests that were refused with this error code; default: all. */
  readonly code?: WireErrorCode | undefined;
  /** Only requests that this field failed, by its name in the log; default: all. */
  readonly field?: LoggedField | undefined;
  /** Only requests in which a field, or `field` if it is set, failed with this code; default: all. */
  readonly fieldCode?: LoggedFieldCode | undefined;
  /** Whether to select only failed requests; default: false, but true with `jobId`, `code`, `field` or `fieldCode`. */
  readonly onlyErrors?: boolean | undefined;
}

/** A request in the log, with the names that belong to its key. They are null for a request without a valid key. */
export interface LoggedRequest extends RequestRecord {
  /** Null for a request without a valid key, as are the other names. */
  readonly partnerId: PartnerId | null;
  readonly partnerName: string | null;
  readonly environment: Environment | null;
  /** The partner's name with the environment of the key, such as `Acme ATS (production)`; null without a valid key. */
  readonly keyLabel: string | null;
}

/** A request of a list, with the title and the company of its job, which are null if the job does not exist. */
export interface ListedRequest extends LoggedRequest {
  readonly jobTitle: string | null;
  readonly companyId: CompanyId | null;
  readonly companyName: string | null;
}

/** A request with an explanation. */
export interface ExplainedRequest extends ListedRequest {
  /** The rule that refused the request, and how to fix that; null if the request succeeded. */
  readonly refusal: RequestRefusal | null;
  /**
   * The id of the earlier request whose reply this one got again; null if there is none, or if the log does not have
   * it. The log lacks it, for example, if its reply was lost with 503.
   */
  readonly repeats: string | null;
}

/** Selects the counters of a key. */
export interface RequestReadFilter extends PageOptions {
  readonly keyId: KeyId;
  /** Whether to return only the last count of each list, in one page of at most one row for each; default: false. */
  readonly onlyLast?: boolean | undefined;
}

export async function findRequest(
  read: Pick<Repositories, 'requests' | 'names' | 'jobs' | 'companies'>,
  requestId: string,
): Promise<ExplainedRequest | null> {
  const found = await read.requests.find(requestId);
  if (found === null) return null;
  const [named] = await withCallersAndJobs(read, [found]);
  if (named === undefined) throw new Error('A request must have one result.');
  return { ...named, refusal: refusalOf(found), repeats: await findRepeated(read, found) };
}

/** Adds the names of each request's key. */
export async function withCallers(
  { names }: Pick<Repositories, 'names'>,
  requests: readonly RequestRecord[],
): Promise<readonly LoggedRequest[]> {
  const keyIds = [...new Set(requests.flatMap(({ keyId }) => keyId ?? []))];
  const owners = await names.ofKeys(keyIds);
  const ownerOf = new Map(keyIds.map((keyId, index) => [keyId, owners[index] ?? null]));
  return requests.map((request) => {
    const owner = request.keyId === null ? null : (ownerOf.get(request.keyId) ?? null);
    if (owner === null) {
      return { ...request, partnerId: null, partnerName: null, environment: null, keyLabel: request.keyId };
    }
    const { partnerId, partnerName, environment } = owner;
    return { ...request, partnerId, partnerName, environment, keyLabel: labelKey(partnerName, environment) };
  });
}

/** Adds the names of each request's key, and the title and the company of its job. */
export async function withCallersAndJobs(
  read: Pick<Repositories, 'names' | 'jobs' | 'companies'>,
  requests: readonly RequestRecord[],
): Promise<readonly ListedRequest[]> {
  const jobIds = [...new Set(requests.flatMap(({ jobId }) => jobId ?? []))];
  const found = jobIds.length === 0 ? [] : await read.jobs.find(jobIds);
  const jobOf = new Map(found.flatMap((job) => (job === null ? [] : [[job.id, job]])));
  const companyIds = [...new Set([...jobOf.values()].map(({ companyId }) => companyId))];
  const companies = companyIds.length === 0 ? [] : await read.companies.findMany(companyIds);
  const nameOf = new Map(
    companies.flatMap((company) => (company === null ? [] : [[company.id, company.name]])),
  );
  return (await withCallers(read, requests)).map((request) => {
    const job = request.jobId === null ? undefined : jobOf.get(request.jobId);
    if (job === undefined) return { ...request, jobTitle: null, companyId: null, companyName: null };
    const { title, companyId } = job;
    return { ...request, jobTitle: title, companyId, companyName: nameOf.get(companyId) ?? null };
  });
}

const RESEND = WIRE_ERRORS.UNAUTHORIZED.operatorFix;

/** The rule behind each cause of `UNAUTHORIZED`. Partners get the same reply for all of them. */
export const AUTHORIZATION_REFUSALS: Readonly<Record<AuthorizationFault, RequestRefusal>> = {
  'Authorization.missing': {
    rule: 'Each request needs a valid API key. No `Authorization` header arrived.',
    fix: 'The partner sends `Authorization: Bearer <API_KEY>`. If it does so, a proxy or gateway removes the header: let it pass `Authorization` on.',
  },
  'Authorization.malformed': {
    rule: 'Each request needs a valid API key. The `Authorization` header is not `Bearer` with one whole key, or it arrived twice.',
    fix: `${RESEND} Look for another scheme such as Basic, quotes, a key that was cut off, and a proxy that adds a header.`,
  },
  'Authorization.unknown_key': {
    rule: 'Each request needs a valid API key. This one is well formed, but unknown, expired or revoked.',
    fix: `${RESEND} Check that the key is of this installation. The log has a \`warn\` line if the key was valid once.`,
  },
};

const UNKNOWN: RequestRefusal = {
  rule: 'A newer release has refused the request by a rule that this release does not know.',
  fix: 'Look the code up in the documentation of that release.',
};

function refusalOf({ code, fields }: RequestRecord): RequestRefusal | null {
  if (code === null) return null;
  const causes: Readonly<Record<string, RequestRefusal | undefined>> = AUTHORIZATION_REFUSALS;
  const [cause = ''] = code === 'UNAUTHORIZED' ? fields : [];
  return causes[cause] ?? explainRefusal(code, 'operator') ?? UNKNOWN;
}

async function findRepeated(
  { requests }: Pick<Repositories, 'requests'>,
  { isReplay, applicationId }: RequestRecord,
): Promise<string | null> {
  if (!isReplay || applicationId === null) return null;
  const oldest = await requests.findOldest(applicationId);
  return oldest === null || oldest.isReplay ? null : oldest.requestId;
}
