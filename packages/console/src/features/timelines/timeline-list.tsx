import type { Timeline, TimelineEntry } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { changesText, reasonText } from '../../screens/parts/act-words.js';
import { latencyText, outcomeSentence } from '../../screens/parts/outcome-text.js';
import { Id } from '../../view/ids.js';
import { Code, countText, FactList, type FactRow, Section, Time } from '../../view/parts.js';
import { ObjectLink } from '../audit/object-link.js';
import { entrySentence } from './entry-sentence.js';
import { type EntryGroup, foldEntries, foldInOrder } from './fold-entries.js';

/** Returns the path of the page about an entry's subject. Null if there is no page, or if the actor may not open it. */
function entryLink({ link }: Pick<ScreenCall, 'link'>, entry: TimelineEntry): string | null {
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

/** What people did and what happened, newest first, with details on demand and links to the objects of the entries. */
export function TimelineList({
  call,
  timeline: { entries, completeFrom },
  kind,
  id,
  empty,
  isPaged = true,
  isOneList = false,
}: {
  readonly call: ScreenCall;
  readonly timeline: Timeline;
  /** What it is about. Its acts are in the audit. */
  readonly kind: 'application' | 'job' | 'key';
  readonly id: string;
  /** The sentence for a timeline without entries. */
  readonly empty: string;
  /** Whether earlier entries can be shown. */
  readonly isPaged?: boolean;
  /** Whether acts stand among what happened, in one order. In a long timeline, they would be hard to find. */
  readonly isOneList?: boolean;
}) {
  const audit = call.link('audit', '', { kind, id });
  const { acts, events } = foldEntries(isOneList ? [] : entries);
  const before =
    completeFrom === null ? null : call.at(pathOf(call), { until: new Date(completeFrom).toISOString() });
  return (
    <Section title="Timeline">
      {entries.length === 0 ? <p class="empty">{empty}</p> : null}
      {isOneList ? <EntryList call={call} groups={foldInOrder(entries)} /> : null}
      {acts.length === 0 ? null : <Entries call={call} title="Acts" groups={acts} />}
      {events.length === 0 ? null : <Entries call={call} title="What happened" groups={events} />}
      {before === null ? null : (
        <p class="hint">
          Shows what happened since <Time at={completeFrom} />.{' '}
          {isPaged ? <a href={before}>Show what happened before</a> : 'There is more before.'}
        </p>
      )}
      {audit === null ? null : <a href={audit}>{`Acts on this ${kind} in the audit`}</a>}
    </Section>
  );
}

interface EntriesProps {
  readonly call: ScreenCall;
  readonly title: string;
  readonly groups: readonly EntryGroup[];
}

function Entries({ call, title, groups }: EntriesProps) {
  return (
    <>
      <h3>{title}</h3>
      <EntryList call={call} groups={groups} />
    </>
  );
}

function EntryList({ call, groups }: { readonly call: ScreenCall; readonly groups: readonly EntryGroup[] }) {
  return (
    <ol class="timeline">
      {groups.map(({ first, others }) => (
        <Entry call={call} entry={first}>
          {others.length === 0 ? null : (
            <details>
              <summary>{`${countText(others.length)} more like this`}</summary>
              <ol class="timeline">
                {others.map((entry) => (
                  <Entry call={call} entry={entry} />
                ))}
              </ol>
            </details>
          )}
        </Entry>
      ))}
    </ol>
  );
}

interface EntryProps {
  readonly call: ScreenCall;
  readonly entry: TimelineEntry;
  readonly children?: Child;
}

function Entry({ call, entry, children }: EntryProps) {
  const href = entryLink(call, entry);
  const facts = detailsOf(call, entry).filter((fact) => fact?.[1] != null);
  return (
    <li class={entry.kind}>
      <Time at={entry.at} />
      <div>
        {entrySentence(entry)}
        {href === null ? null : (
          <>
            {' '}
            <a href={href}>Open</a>
          </>
        )}
        {facts.length === 0 ? null : (
          <details class="more">
            <summary>Details</summary>
            <FactList facts={facts} />
          </details>
        )}
        {children ?? null}
      </div>
    </li>
  );
}

/** An act on many objects has a page that lists all. */
const OBJECTS_SHOWN = 3;

/** What only somebody who looks into it needs. */
function detailsOf(call: ScreenCall, entry: TimelineEntry): readonly FactRow[] {
  switch (entry.kind) {
    case 'command': {
      const { id, actor, objects, objectNames, act } = entry.auditEntry;
      const all = call.gate.isForAllPartners ? call.link('audit', `/${id}`) : null;
      return [
        [LABELS.act.who, actor.id],
        [LABELS.reason, reasonText(entry.auditEntry)],
        [LABELS.act.change, changesText(entry.auditEntry)],
        [
          LABELS.all.objects,
          objects
            .slice(0, OBJECTS_SHOWN)
            .map((object, index) => (
              <ObjectLink call={call} object={object} name={objectNames[index] ?? null} />
            )),
        ],
        [
          'All objects',
          objects.length > OBJECTS_SHOWN && all !== null ? <a href={all}>Show all objects</a> : null,
        ],
        [LABELS.act.command, <Code text={act} />],
      ];
    }
    case 'request': {
      const { method, route, status, fields, requestId } = entry.request;
      return [
        [LABELS.one.request, <Code text={`${method} ${route ?? 'unknown path'}`} />],
        [LABELS.answer, String(status)],
        [LABELS.request.failedFields, fields.length === 0 ? null : fields.join(', ')],
        [LABELS.request.id, <Id value={requestId} />],
      ];
    }
    case 'event':
      return [[LABELS.delivery.eventId, <Id value={entry.eventId} />]];
    case 'attempt': {
      const { eventId, number, latencyMs, outcome } = entry.attempt;
      return [
        [LABELS.one.attempt, `${number} of 10`],
        [LABELS.answer, outcomeSentence(outcome)],
        [LABELS.took, latencyText(latencyMs)],
        [LABELS.delivery.eventId, <Id value={eventId} />],
      ];
    }
    case 'delivered': {
      const { attempts, status, latencyMs } = entry.evidence;
      return [
        [LABELS.one.attempt, `${attempts} of 10`],
        [LABELS.answer, `HTTP ${status}`],
        [LABELS.took, latencyText(latencyMs)],
        [LABELS.delivery.eventId, <Id value={entry.eventId} />],
      ];
    }
    case 'inbox':
      return [[LABELS.lastError, entry.entry.lastError]];
    default:
      return [];
  }
}

/** The path of this page below the console's path. */
function pathOf({ here, at }: ScreenCall): string {
  const root = at('/');
  return here.startsWith(`${root}/`) ? here.slice(root.length) : here;
}
