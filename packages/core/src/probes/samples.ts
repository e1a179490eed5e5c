import { randomBytes } from 'node:crypto';
import stringify from 'fast-json-stable-stringify';

/** The event types of v1. Contract: 10.3 to 10.5. */
export type SampleType = 'application.status_changed' | 'job.opened' | 'job.closed';

/** A made-up event. */
export interface Sample {
  readonly apiVersion: string;
  readonly createdAt: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly type: string;
}

/**
 * The title in made-up events. Receivers must read it as UTF-8, and must not serialize it anew before they check the
 * signature.
 */
export const UNUSUAL_TITLE = 'Test: Köchin/Küchenchef <m\u2028w> 👩‍🍳';

/** The characters that the service uses in ids. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns an id as the service forms it, but with ten zeros for its time, which mark a made-up event. */
function sampleId(prefix: string): string {
  const letters = Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length]);
  return `${prefix}0000000000${letters.join('')}`;
}

/** Returns a new made-up event of this type. `data` overrides fields of its `data`. */
export function createSample(type: SampleType, data: Readonly<Record<string, unknown>> = {}): Sample {
  const createdAt = new Date().toISOString();
  return {
    id: sampleId('evt_'),
    type,
    createdAt,
    apiVersion: 'v1',
    data: { ...sampleData(type, createdAt), ...data },
  };
}

/** Serializes an event as the service does, with sorted keys and without white space. */
export function bodyOf(sample: Sample): string {
  return stringify(sample);
}

function sampleData(type: SampleType, at: string): Readonly<Record<string, unknown>> {
  const jobId = sampleId('job_');
  switch (type) {
    case 'application.status_changed':
      return {
        applicationId: sampleId('ej_app_'),
        sourceApplicationId: 'certify',
        jobId,
        oldStatus: 'in_progress',
        newStatus: 'accepted',
        currentStage: 'Hired',
        occurredAt: at,
      };
    case 'job.opened':
      return { jobId, companyId: sampleId('co_'), title: 'Certify', openedAt: at };
    case 'job.closed':
      return { jobId, companyId: sampleId('co_'), reason: 'closed_by_customer', closedAt: at };
  }
}
