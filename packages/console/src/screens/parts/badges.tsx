import type { EndpointState, KeyView } from '@partner-hiring/core';
import { StateBadge } from '../../view/parts.js';

interface EndpointBadgeProps {
  readonly state: EndpointState;
  readonly isFailing: boolean;
}

/** The state of an endpoint. An endpoint that fails is not green, even if it is active. */
export function EndpointBadge({ state: { kind }, isFailing }: EndpointBadgeProps) {
  if (kind === 'active' && isFailing) return <StateBadge state="failing" tone="bad" />;
  return <StateBadge state={kind} />;
}

/** Says that limits of a key are lower now. Null if none is. */
export function LoweredBadge({ view: { key } }: { readonly view: KeyView }) {
  return key.loweredLimits === null ? null : <StateBadge state="lower limits" tone="warn" />;
}

/** The answer to a request: its status, amber if it was refused and red if the platform failed, and the code of its error exactly as the partner got it. */
export function AnswerBadge({ status, code }: { readonly status: number; readonly code: string | null }) {
  if (code === null) return <span class="badge good">{String(status)}</span>;
  return (
    <span class={`badge ${status < 500 ? 'warn' : 'bad'}`}>
      {`${status} `}
      <code>{code}</code>
    </span>
  );
}
