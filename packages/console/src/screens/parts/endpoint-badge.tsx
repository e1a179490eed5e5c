import type { EndpointState } from '@partner-hiring/core';
import { StateBadge } from '../../view/parts.js';

/** The state of an endpoint. An endpoint that fails is not green, even if it is active. */
export function EndpointBadge({
  state: { kind },
  isFailing,
}: {
  readonly state: EndpointState;
  readonly isFailing: boolean;
}) {
  if (kind === 'active' && isFailing) return <StateBadge state="failing" tone="bad" />;
  return <StateBadge state={kind} />;
}
