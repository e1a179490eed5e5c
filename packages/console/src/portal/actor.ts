import type { PartnerId, PortalRight } from '@partner-hiring/core';

/** Somebody of a partner who uses the portal. It has these fields and no others. */
export interface PortalActor {
  readonly partnerId: PartnerId;
  /** The person's name: 1 to 200 characters. The audit records it. */
  readonly name: string;
  /** The pages and acts that the person may use. The portal answers an unknown right with 503. */
  readonly rights: readonly PortalRight[];
}

/**
 * Says who sent a request. Return null for somebody who is not signed in. `host` is the request of your framework, for
 * sessions that are stored there.
 */
export type PortalActorHook = (
  request: Request,
  host: unknown,
) => PortalActor | null | Promise<PortalActor | null>;
