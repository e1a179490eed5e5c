import { type PartnerHiring, type PartnerId, StorageUnavailable } from '@partner-hiring/core';

/** The health of one part, in the shape of `@nestjs/terminus`. */
export interface PartnerHiringHealthStatus {
  readonly status: 'up' | 'down';
  /** Why the status is `down`. It contains no address, secret or personal data. */
  readonly message?: string;
}

/** Settings of a health check. */
export interface PartnerHiringHealthOptions {
  /** How long the storage may take to answer, in milliseconds. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 2_000;

/** Any id: the check only needs an answer. */
const NO_PARTNER = 'ptn_health' as PartnerId;

/**
 * Checks that the partner API can reach its storage. The module provides it, so you can inject it. Works as an
 * indicator of `@nestjs/terminus`, and without it.
 * @example
 * ```ts
 * import { Get } from '@nestjs/common';
 *
 * export class HealthController {
 *   constructor(private readonly health: PartnerHiringHealth) {}
 *
 *   @Get()
 *   check() {
 *     return this.health.check(); // or: terminus.check([() => this.health.check()])
 *   }
 * }
 * ```
 */
export class PartnerHiringHealth {
  private readonly partnerHiring: PartnerHiring<never>;

  constructor(partnerHiring: PartnerHiring<never>) {
    this.partnerHiring = partnerHiring;
  }

  /**
   * Reads one row from the storage. Resolves with `down` if the storage is unavailable or too slow.
   * @param key The name under which the status is returned. Default: `partner_hiring`.
   */
  async check<Key extends string = 'partner_hiring'>(
    key = 'partner_hiring' as Key,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: PartnerHiringHealthOptions = {},
  ): Promise<Record<Key, PartnerHiringHealthStatus>> {
    const status = await statusWithin(this.partnerHiring, timeoutMs);
    return { [key]: status } as Record<Key, PartnerHiringHealthStatus>;
  }
}

async function statusWithin(
  { operator }: PartnerHiring<never>,
  timeoutMs: number,
): Promise<PartnerHiringHealthStatus> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<PartnerHiringHealthStatus>((resolve) => {
    const message = `The storage did not answer within ${timeoutMs} ms.`;
    timer = setTimeout(resolve, timeoutMs, { status: 'down', message });
  });
  const answered = operator.partners.find({ id: NO_PARTNER }).then(() => UP, statusOf);
  try {
    return await Promise.race([answered, slow]);
  } finally {
    clearTimeout(timer);
  }
}

const UP: PartnerHiringHealthStatus = { status: 'up' };

/** An unexpected error is a bug. Terminus then answers 500. */
function statusOf(error: unknown): PartnerHiringHealthStatus {
  if (!(error instanceof StorageUnavailable)) throw error;
  return { status: 'down', message: 'The storage is unavailable.' };
}
