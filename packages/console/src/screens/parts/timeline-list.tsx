import type { Timeline, TimelineEntry } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { ScreenCall } from '../../http/screen.js';
import { Section, Time } from '../../view/parts.js';

/** Returns the path of the page about an entry's subject. Null if there is no page, or if the actor may not open it. */
export function entryLink({ link }: Pick<ScreenCall, 'link'>, entry: TimelineEntry): string | null {
  switch (entry.kind) {
    case 'submitted':
      return link('applications', `/${entry.applicationId}`);
    case 'request':
      return link('requests', `/${entry.request.requestId}`);
    case 'event':
    case 'delivered':
      return link('deliveries', `/${entry.keyId}/${entry.eventId}`);
    case 'attempt':
      return link('deliveries', `/${entry.attempt.keyId}/${entry.attempt.eventId}`);
    default:
      return null;
  }
}

/** What happened, oldest first, with links to the objects of the entries. */
export function TimelineList({
  call,
  timeline: { entries, completeFrom },
  empty,
  children,
}: {
  readonly call: ScreenCall;
  readonly timeline: Timeline;
  /** The sentence for a timeline without entries. */
  readonly empty: string;
  readonly children?: Child;
}) {
  const before = completeFrom === null ? null : call.at(pathOf(call), { until: String(completeFrom) });
  return (
    <Section title="Timeline">
      {before === null ? null : (
        <p class="hint">
          Shows what happened since <Time at={completeFrom} />. <a href={before}>Show what happened before</a>
        </p>
      )}
      {entries.length === 0 ? <p class="empty">{empty}</p> : null}
      <ol class="timeline">
        {entries.map((entry) => {
          const href = entryLink(call, entry);
          return (
            <li class={entry.kind}>
              <Time at={entry.at} />
              <span>
                {entry.text}
                {href === null ? null : (
                  <>
                    {' '}
                    <a href={href}>Open</a>
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      {children}
    </Section>
  );
}

/** The path of this page below the console's path. */
function pathOf({ here, at }: ScreenCall): string {
  const root = at('/');
  return here.startsWith(`${root}/`) ? here.slice(root.length) : here;
}

/** Reads which part of a timeline to show. */
export function timelineEnd({ query }: ScreenCall): { readonly until?: number } {
  const until = Number(query.text('until') ?? Number.NaN);
  return Number.isSafeInteger(until) && until > 0 ? { until } : {};
}
