import type { EndpointState, KeyView } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { MaybeLink, StateBadge } from '../../view/parts.js';

interface EndpointBadgeProps {
  readonly state: EndpointState;
  readonly isFailing: boolean;
}

/** The state of an endpoint. An endpoint that fails is not green, even if it is active. */
export function EndpointBadge({ state: { kind }, isFailing }: EndpointBadgeProps) {
  if (kind === 'active' && isFailing) return <StateBadge state="failing" tone="bad" />;
  return <StateBadge state={kind} />;
}

/** The environment of a key, as a link to its page, and whether its limits are lower now. */
export function KeyLink({ call, view: { key } }: { readonly call: ScreenCall; readonly view: KeyView }) {
  const link = <MaybeLink href={call.link('keys', `/${key.id}`)}>{key.environment}</MaybeLink>;
  if (key.loweredLimits === null) return link;
  return (
    <>
      {link} <StateBadge state="lower limits" tone="warn" />
    </>
  );
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
