import { type ApplicationMove, type Decision, STAGES_OF } from '../../domain/application.js';

/** `.example` is reserved (RFC 2606), so no mail can be delivered. */
export const SANDBOX_DOMAIN = 'sandbox.example';

export type SandboxScript =
  | {
      readonly kind: 'moves';
      readonly moves: readonly ApplicationMove[];
      readonly about: string;
    }
  | { readonly kind: 'refuses'; readonly refusal: SandboxRefusal; readonly about: string }
  | { readonly kind: 'loses_reply'; readonly about: string };

export type SandboxRefusal =
  | { readonly code: 'RATE_LIMITED'; readonly scope: 'partner' | 'partner_company' }
  | { readonly code: 'IDEMPOTENCY_KEY_IN_PROGRESS' | 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR' };

const EVALUATION: readonly ApplicationMove[] = STAGES_OF.in_progress.map((stage) => ({
  to: 'in_progress',
  stage,
}));

/** The magic e-mail addresses of the sandbox. Do not remove an entry in v1. */
export const SANDBOX_ADDRESSES = {
  accepted: ends('accepted', 'Goes through all stages and is hired; `application.status_changed` is sent.'),
  rejected: ends(
    'rejected',
    'Goes through all stages and is rejected; `application.status_changed` is sent.',
  ),
  'stuck-in-initial-outreach': sticksAfter(0, 'Stays `received`, in Initial Outreach.'),
  'stuck-in-video-interview': sticksAfter(1, 'Stays `in_progress`, in Video Interview.'),
  'stuck-in-under-review': sticksAfter(2, 'Stays `in_progress`, in Under Review.'),
  'stuck-in-final-review': sticksAfter(3, 'Stays `in_progress`, in Final Review.'),
  'rate-limited': refuses(
    { code: 'RATE_LIMITED', scope: 'partner_company' },
    'Is refused with 429 and the scope `partner_company`, every time.',
  ),
  'rate-limited-partner': refuses(
    { code: 'RATE_LIMITED', scope: 'partner' },
    'Is refused with 429 and the scope `partner`, every time.',
  ),
  'in-progress': refuses(
    { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' },
    'Is refused with 409, as if the first request with the key were still at work, every time.',
  ),
  unavailable: refuses({ code: 'SERVICE_UNAVAILABLE' }, 'Is refused with 503, every time.'),
  'internal-error': refuses({ code: 'INTERNAL_ERROR' }, 'Is refused with 500, every time.'),
  'lost-reply': {
    kind: 'loses_reply',
    about: 'Is recorded, but the answer is a 503. The same request again gets the 201, replayed.',
  },
} as const satisfies Readonly<Record<string, SandboxScript>>;

export type SandboxAddressName = keyof typeof SANDBOX_ADDRESSES;

const MAGIC = /^([^@+]*)(?:\+[^@]*)?@sandbox\.example$/i;

/**
 * Returns the script for a magic address. Returns null for an ordinary address, and `unknown` for a sandbox
 * address that is not in the table.
 */
export function readSandboxAddress(email: string): SandboxScript | 'unknown' | null {
  const name = MAGIC.exec(email)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  return Object.hasOwn(SANDBOX_ADDRESSES, name) ? SANDBOX_ADDRESSES[name as SandboxAddressName] : 'unknown';
}

function refuses(refusal: SandboxRefusal, about: string): SandboxScript & { kind: 'refuses' } {
  return { kind: 'refuses', refusal, about };
}

function ends(decision: Decision, about: string): SandboxScript & { kind: 'moves' } {
  return { kind: 'moves', moves: [...EVALUATION, { to: decision }], about };
}

function sticksAfter(moves: number, about: string): SandboxScript & { kind: 'moves' } {
  return { kind: 'moves', moves: EVALUATION.slice(0, moves), about };
}
