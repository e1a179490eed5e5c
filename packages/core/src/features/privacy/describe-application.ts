import { type ApplicationRecord, type Consent, consentOf, isTerminal } from '../../domain/application.js';
import type { ApplicationId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Repositories } from '../../ports/storage.js';
import { type ErasureItem, erasureItemOf, untoldNotice } from '../inbox/rules.js';

/**
 * Returns the inbox items that tell the host of erasures, in the order of the applications. An application without an
 * item has null.
 */
export async function findErasureItems(
  { inbox }: Pick<Repositories, 'inbox'>,
  applications: readonly Pick<ApplicationRecord, 'id' | 'keyId'>[],
): Promise<readonly (ErasureItem | null)[]> {
  const of = applications.map(({ id, keyId }) => ({ applicationId: id, keyId }));
  const states = await inbox.findErasures(of);
  return applications.map(({ id }, index) => erasureItemOf(id, states[index] ?? null));
}

/** An application with the candidate's consent. */
export interface ApplicationDetails extends ApplicationRecord {
  readonly consent: Consent;
  /**
   * The inbox item that tells the host of the erasure; null if the inbox was off, and unset if the candidate was not
   * erased.
   */
  readonly erasureItem?: ErasureItem | null;
  /** When the next download is due, set only if the résumé is `pending`; null if none waits. */
  readonly resumeDueAt?: Instant | null;
  /**
   * Says that the inbox does not tell the host of changes by staff; null if it does, and unset after the decision or
   * the erasure.
   */
  readonly notice?: string | null;
}

export async function findApplication(
  read: Repositories,
  id: ApplicationId,
): Promise<ApplicationDetails | null> {
  const [found] = await read.applications.find([id]);
  if (!found) return null;
  const details = { ...found, consent: consentOf(found), ...(await noticeOf(read, found)) };
  if (found.resume.kind === 'pending') {
    const [task] = await read.candidates.findResumeFiles([id]);
    return { ...details, resumeDueAt: task?.dueAt ?? null };
  }
  if (found.erasedAt === null) return details;
  const [erasureItem = null] = await findErasureItems(read, [found]);
  return { ...details, erasureItem };
}

async function noticeOf(
  { inbox }: Pick<Repositories, 'inbox'>,
  { status, erasedAt }: ApplicationRecord,
): Promise<Pick<ApplicationDetails, 'notice'>> {
  if (isTerminal(status) || erasedAt !== null) return {};
  return { notice: untoldNotice(await inbox.isOn(), await inbox.changes()) };
}

/** An application of a candidate, with the names that belong to its ids. */
export interface CandidateApplication extends ApplicationRecord {
  readonly consent: Consent;
  readonly partnerName: string;
  readonly companyName: string;
  readonly jobTitle: string;
  /** The inbox item that tells the host of the erasure; null before the erasure, or if the inbox was off. */
  readonly erasureItem: ErasureItem | null;
}

type Reading = Pick<Repositories, 'keys' | 'partners' | 'companies' | 'jobs' | 'inbox'>;

/** Adds names to applications. Reads each key, company and job once. */
export async function describeApplications(
  { keys, partners, companies, jobs, inbox }: Reading,
  applications: readonly ApplicationRecord[],
): Promise<readonly CandidateApplication[]> {
  const partnerNames = await namesOf(
    applications.map(({ keyId }) => keyId),
    async (keyId) => {
      const key = await keys.find(keyId);
      return key === null ? null : ((await partners.find(key.partnerId))?.name ?? null);
    },
  );
  const companyNames = await namesOf(
    applications.map(({ companyId }) => companyId),
    async (id) => (await companies.find(id))?.name ?? null,
  );
  const jobIds = [...new Set(applications.map(({ jobId }) => jobId))];
  const found = await jobs.find(jobIds);
  const titles = new Map(jobIds.map((id, index) => [id, found[index]?.title ?? '']));
  const items = await findErasureItems({ inbox }, applications);
  return applications.map((application, index) => ({
    ...application,
    consent: consentOf(application),
    partnerName: partnerNames.get(application.keyId) ?? '',
    companyName: companyNames.get(application.companyId) ?? '',
    jobTitle: titles.get(application.jobId) ?? '',
    erasureItem: items[index] ?? null,
  }));
}

async function namesOf<Id extends string>(
  ids: readonly Id[],
  nameOf: (id: Id) => Promise<string | null>,
): Promise<ReadonlyMap<Id, string>> {
  const names = new Map<Id, string>();
  for (const id of new Set(ids)) names.set(id, (await nameOf(id)) ?? '');
  return names;
}
