import type { ClosedReason } from '../../domain/access.js';
import type { FormQuestion } from '../../domain/application-form.js';
import { type CompanyId, ID_PREFIXES, type JobId, type KeyId } from '../../domain/ids.js';
import type { JobDetails } from '../../domain/job.js';

export interface SandboxCompany {
  readonly title: string;
  readonly access: 'granted' | 'revoked';
}

export const SANDBOX_COMPANIES = {
  diner: { title: 'Sandbox Diner', access: 'granted' },
  fickle: { title: 'Sandbox Fickle Foods', access: 'granted' },
  former: { title: 'Sandbox Former Partners', access: 'revoked' },
} as const satisfies Readonly<Record<string, SandboxCompany>>;

export type SandboxCompanyName = keyof typeof SANDBOX_COMPANIES;

export interface SandboxJob extends Pick<JobDetails, 'title' | 'applicationFormSchema'> {
  readonly company: SandboxCompanyName;
  readonly internalOnly: boolean;
  readonly leaves: ClosedReason | null;
  readonly about: string;
}

const SHIFTS = [
  { value: 'day', label: 'Day' },
  { value: 'night', label: 'Night' },
];

const EVERY_QUESTION: readonly FormQuestion[] = [
  { key: 'weekends', label: 'Can you work weekends?', type: 'boolean', required: true },
  { key: 'nickname', label: 'What shall we call you?', type: 'short_text', required: true },
  { key: 'motivation', label: 'Why this job?', type: 'long_text', required: false },
  { key: 'years', label: 'Years of experience', type: 'number', required: false },
  { key: 'available_from', label: 'Earliest start', type: 'date', required: false },
  { key: 'profile', label: 'A link to your profile', type: 'url', required: false },
  { key: 'shift', label: 'Preferred shift', type: 'single_select', required: true, options: SHIFTS },
  { key: 'shifts', label: 'Possible shifts', type: 'multi_select', required: false, options: SHIFTS },
  {
    key: 'unheard_of',
    label: 'A type that you do not know: show a text field',
    type: 'sandbox_unheard_of',
    required: false,
  },
];

const ALWAYS_OPEN = { applicationFormSchema: null, internalOnly: false, leaves: null } as const;

export const SANDBOX_JOBS = {
  open: {
    ...ALWAYS_OPEN,
    company: 'diner',
    title: 'Sandbox line cook',
    about: 'Is open, always.',
  },
  form: {
    ...ALWAYS_OPEN,
    company: 'diner',
    title: 'Sandbox shift lead, with a form',
    applicationFormSchema: EVERY_QUESTION,
    about: 'Is open, with a question of every type, one of them of a type that you cannot know.',
  },
  internal: {
    ...ALWAYS_OPEN,
    company: 'diner',
    title: 'Sandbox manager, internal only',
    internalOnly: true,
    about: 'Is internal-only: not listed, and `JOB_CLOSED` to whoever applies.',
  },
  closing: {
    ...ALWAYS_OPEN,
    company: 'diner',
    title: 'Sandbox waiter, closes once somebody applied',
    leaves: 'closed_by_customer',
    about: 'Closes after an application: `job.closed` with `closed_by_customer`, then `JOB_CLOSED`.',
  },
  hiding: {
    ...ALWAYS_OPEN,
    company: 'diner',
    title: 'Sandbox host, becomes internal once somebody applied',
    leaves: 'internal_sourcing_only',
    about: 'Becomes internal-only after one: `job.closed` with `internal_sourcing_only`, then `JOB_CLOSED`.',
  },
  leaving: {
    ...ALWAYS_OPEN,
    company: 'fickle',
    title: 'Sandbox packer, whose company leaves once somebody applied',
    leaves: 'access_revoked',
    about: 'Its company revokes access after one: `job.closed` with `access_revoked`, then `ACCESS_REVOKED`.',
  },
  former: {
    ...ALWAYS_OPEN,
    company: 'former',
    title: 'Sandbox baker, of a company that left',
    about: 'Belongs to a company that has revoked your access: not listed, and `ACCESS_REVOKED`.',
  },
} as const satisfies Readonly<Record<string, SandboxJob>>;

/** The name of a sandbox job. */
export type SandboxJobName = keyof typeof SANDBOX_JOBS;

export const SANDBOX_JOB_NAMES = Object.keys(SANDBOX_JOBS) as readonly SandboxJobName[];

export const SANDBOX_JOB_DETAILS = {
  location: { city: 'Austin', state: 'TX', country: 'US' },
  compensation: { type: 'hourly', min: 18, max: 22.5, currency: 'USD' },
  schedule: 'full_time',
  headcount: { total: 3, filled: 1 },
} as const;

/**
 * Returns the id of a sandbox job. Partners can derive it from another id, and can therefore try jobs that
 * are not listed.
 */
export function sandboxJobId(keyId: KeyId, name: SandboxJobName): JobId {
  return `${ID_PREFIXES.job}sandbox_${name}_${ownPart(keyId)}`;
}

export function sandboxCompanyId(keyId: KeyId, name: SandboxCompanyName): CompanyId {
  return `${ID_PREFIXES.company}sandbox_${name}_${ownPart(keyId)}`;
}

function ownPart(keyId: KeyId): string {
  return keyId.slice(ID_PREFIXES.key.length);
}
