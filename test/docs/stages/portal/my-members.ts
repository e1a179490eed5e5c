import type { PartnerId } from '@partner-hiring/core';

interface Member {
  readonly partnerId: PartnerId;
  readonly name: string;
}

/** Returns the member who signed in, or null. */
export async function findMember(cookie: string | null): Promise<Member | null> {
  const partnerId = /^member=(ptn_\w+)$/.exec(cookie ?? '')?.[1];
  return partnerId === undefined ? null : { partnerId: partnerId as PartnerId, name: 'Dana' };
}
