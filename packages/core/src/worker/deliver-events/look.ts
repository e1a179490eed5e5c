import { createGroup, type Group, type GroupOptions } from '../../group.js';
import type { EndpointRepository, LookRequest, LookResult } from '../../ports/repositories/endpoints.js';
import type { Clock } from '../../ports/runtime.js';

/** Looks for more to send, for many lanes at once. */
export type Look = Group<LookRequest, LookResult>;

/** Builds the group: as many statements for one lane as for all that look at the same time. */
export function createLook(
  endpoints: Pick<EndpointRepository, 'look'>,
  clock: Pick<Clock, 'now'>,
  options: Partial<GroupOptions>,
): Look {
  return createGroup((asked) => endpoints.look(asked, clock.now()), options);
}
