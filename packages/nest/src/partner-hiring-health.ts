import { createHealth, type Health, type HealthReport, type PartnerHiring } from '@partner-hiring/core';

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

/**
 * Checks whether this process is ready for traffic, as `createHealth` of `@partner-hiring/core` does. The module provides
 * it, so you can inject it. Works as an indicator of `@nestjs/terminus`, and without it.
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
  private readonly health: Health;

  constructor(partnerHiring: PartnerHiring<never>) {
    this.health = createHealth(partnerHiring);
  }

  /**
   * Reads one row from the storage. Resolves with `down` if the storage is unavailable or too slow, if the worker cannot
   * report to it, and while the process stops.
   * @param key The name under which the status is returned. Default: `partner_hiring`.
   */
  async check<Key extends string = 'partner_hiring'>(
    key = 'partner_hiring' as Key,
    options: PartnerHiringHealthOptions = {},
  ): Promise<Record<Key, PartnerHiringHealthStatus>> {
    const status = statusOf(await this.health.ready(options));
    return { [key]: status } as Record<Key, PartnerHiringHealthStatus>;
  }
}

function statusOf({ status, problems }: HealthReport): PartnerHiringHealthStatus {
  return status === 200 ? { status: 'up' } : { status: 'down', message: problems.join(' ') };
}
