import type { Partner, PartnerEvent } from '@partner-hiring/core';
import type {
  AcceptedSubmission,
  ApplicationRecord,
  Company,
  CompanyId,
  EndpointHealth,
  EndpointSettlement,
  EventId,
  Instant,
  Job,
  JobId,
  KeyId,
  PartnerId,
  PartnerKey,
  Repositories,
  StoredDelivery,
  StoredEndpoint,
} from '@partner-hiring/core/ports';
import type { NewKeyAlert } from '../../../../packages/core/src/domain/alert.js';
import type { KeySecret } from '../../../../packages/core/src/domain/partner-key.js';
import type { ResumeFileTask } from '../../../../packages/core/src/domain/resume.js';

/** The start of the virtual clock. */
export const T0 = Date.UTC(2026, 0, 15, 9, 0, 0);

export const PARTNER_ID: PartnerId = 'ptn_acme';
export const KEY_ID: KeyId = 'key_acme';
export const OTHER_KEY_ID: KeyId = 'key_other';
export const COMPANY_ID: CompanyId = 'co_diner';
export const OTHER_COMPANY_ID: CompanyId = 'co_bakery';
export const JOB_ID: JobId = 'job_cook';
export const OTHER_JOB_ID: JobId = 'job_baker';

export function samplePartner(id: PartnerId = PARTNER_ID, createdAt = T0): Partner {
  return { id, name: `Partner ${id}`, contact: null, createdAt, disabledAt: null, removedAt: null };
}

export function sampleKey(id: KeyId = KEY_ID, partnerId: PartnerId = PARTNER_ID): PartnerKey {
  return { id, partnerId, environment: 'production', createdAt: T0, loweredLimits: null };
}

export function sampleSecret(hash: string, changes: Partial<KeySecret> = {}): KeySecret {
  return {
    keyId: KEY_ID,
    hash,
    prefix: 'pek_live_',
    lastFour: hash.slice(-4),
    createdAt: T0,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    ...changes,
  };
}

export function sampleCompany(id: CompanyId = COMPANY_ID, createdAt = T0): Company {
  return { id, name: `Company ${id}`, environment: 'production', createdAt };
}

export function sampleJob(id: JobId = JOB_ID, changes: Partial<Job> = {}): Job {
  return {
    id,
    companyId: COMPANY_ID,
    title: 'Línea cook 👩‍🍳',
    location: { city: 'Austin', state: 'TX', country: 'US' },
    unknownCountry: false,
    compensation: { type: 'hourly', min: 17.5, max: 22, currency: 'USD' },
    schedule: 'full_time',
    headcount: { total: 3, filled: 1 },
    applicationFormSchema: [
      { key: 'licence', label: 'Food licence?', type: 'boolean', required: true },
      {
        key: 'shift',
        label: 'Shift',
        type: 'single_select',
        required: false,
        options: [{ value: 'am', label: 'Morning' }],
      },
    ],
    state: 'open',
    internalOnly: false,
    createdAt: T0,
    updatedAt: T0,
    syncedIn: null,
    sourceVersion: null,
    ...changes,
  };
}

export function sampleApplication(
  number: number,
  changedAt: Instant,
  changes: Partial<ApplicationRecord> = {},
): ApplicationRecord {
  return {
    id: `ej_app_${String(number).padStart(6, '0')}`,
    keyId: KEY_ID,
    jobId: JOB_ID,
    companyId: COMPANY_ID,
    sourceApplicationId: null,
    status: 'received',
    stage: 'initial_outreach',
    submittedAt: changedAt,
    lastStatusChangeAt: changedAt,
    changedAt,
    candidate: { firstName: 'Ana', lastName: 'O’Neil "Q"', email: 'ana@example.com', phone: '+14155550123' },
    source: 'career-site',
    answers: { zeta: true, alpha: ['x', { n: 1.5 }], note: 'line\nbreak \u0007' },
    resumeUrl: null,
    resume: { kind: 'none' },
    erasedAt: null,
    ...changes,
  };
}

export function sampleSubmission(
  application: ApplicationRecord,
  changes: Partial<AcceptedSubmission['idempotency']> = {},
  resume: ResumeFileTask | null = null,
): AcceptedSubmission {
  return {
    application,
    idempotency: {
      keyId: application.keyId,
      idempotencyKey: `uuid-${application.id}`,
      fingerprint: 'f'.repeat(64),
      jsonFingerprint: 'a'.repeat(64),
      applicationId: application.id,
      companyId: application.companyId,
      reply: { status: 201, body: `{"id":"${application.id}", "z":1,"a":"é"}` },
      createdAt: T0,
      expiresAt: T0 + 1_000,
      ...changes,
    },
    resume,
  };
}

export function sampleEvent(number: number, at: Instant, keyId: KeyId = KEY_ID): PartnerEvent {
  const id: EventId = `evt_${String(number).padStart(6, '0')}`;
  return { id, keyId, type: 'job.opened', at, body: `{"id":"${id}",  "data":{"b":1,"a":"é\\u2028"}}` };
}

export function sampleDelivery(event: PartnerEvent, changes: Partial<StoredDelivery> = {}): StoredDelivery {
  return {
    keyId: event.keyId,
    eventId: event.id,
    eventAt: event.at,
    state: 'pending',
    attempts: 1,
    cycle: 1,
    dueAt: T0 + 60_000,
    pendingSince: event.at,
    lastAttemptAt: T0,
    lastOutcome: { kind: 'answered', status: 500, excerpt: 'boom' },
    lastLatencyMs: 120,
    ...changes,
  };
}

/** The alert that an event of a key has failed for good. */
export function sampleAlert(number: number, at = T0): NewKeyAlert {
  return {
    id: `alr_${number}`,
    kind: 'delivery_dead',
    origin: 'https://ats.example',
    keyId: KEY_ID,
    eventId: 'evt_1',
    attempts: 10,
    isFirstOfDay: false,
    at,
  };
}

export function sampleHealth(changes: Partial<EndpointHealth> = {}): EndpointHealth {
  return {
    consecutiveFailures: 0,
    firstFailureAt: null,
    lastSuccessAt: null,
    lastFailure: null,
    failingWarnedAt: null,
    pauseWarnedAt: null,
    nextWarningAt: null,
    deadLettersToldAt: null,
    reportedAt: null,
    gap: null,
    ...changes,
  };
}

export function sampleEndpoint(keyId: KeyId = KEY_ID, changes: Partial<StoredEndpoint> = {}): StoredEndpoint {
  return {
    keyId,
    url: 'https://ats.example/hooks',
    state: { kind: 'active' },
    health: sampleHealth(),
    secrets: [{ sealed: 'sealed-new', createdAt: 0, expiresAt: null }],
    createdAt: T0,
    resumedAt: null,
    replacedUrl: null,
    ...changes,
  };
}

/** A lease duration for tests in which leases must not expire. */
export const LONG_LEASE_MS = 90_000;
/** A lease duration for tests that wait for its expiry on a real clock. */
export const SHORT_LEASE_MS = 2_000;

/** A successful attempt. */
export function sampleSettlement(changes: Partial<EndpointSettlement> = {}): EndpointSettlement {
  const { keyId, state, health } = sampleEndpoint();
  return { keyId, state, health, token: 'mine', watermark: T0, release: false, ...changes };
}

/** Adds two partners with a key each, and two companies with a job each that both keys can see. */
export async function seed(direct: Repositories): Promise<void> {
  for (const [partnerId, keyId] of [
    [PARTNER_ID, KEY_ID],
    ['ptn_other', OTHER_KEY_ID],
  ] as const) {
    await direct.partners.add(samplePartner(partnerId));
    await direct.keys.add(sampleKey(keyId, partnerId));
  }
  await direct.companies.addMissing([sampleCompany(COMPANY_ID), sampleCompany(OTHER_COMPANY_ID)]);
  await direct.jobs.save([sampleJob(), sampleJob(OTHER_JOB_ID, { companyId: OTHER_COMPANY_ID })]);
  for (const keyId of [KEY_ID, OTHER_KEY_ID]) {
    for (const companyId of [COMPANY_ID, OTHER_COMPANY_ID]) {
      await direct.access.save({ keyId, companyId, grantedAt: T0, revokedAt: null, bootstrapUntil: null });
    }
  }
}

/** Appends events, and moves the feed head of each key to the stamp of its last event. */
export async function appendStamped(
  { feed, events }: Pick<Repositories, 'feed' | 'events'>,
  appended: readonly PartnerEvent[],
): Promise<void> {
  for (const { keyId, at } of appended) await feed.take([{ keyId, count: 1 }], at);
  await events.append(appended);
}
