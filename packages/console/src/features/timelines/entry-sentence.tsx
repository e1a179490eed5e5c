import type { TimelineEntry } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import { actSentence } from '../../screens/parts/act-words.js';
import { labelOf } from '../../screens/parts/choices.js';
import { outcomeSentence } from '../../screens/parts/outcome-text.js';
import { countText, Time } from '../../view/parts.js';

const READS: Readonly<Record<string, string>> = {
  '/jobs': 'its list of jobs',
  '/applications': 'its list of applications',
  '/applications/{id}': 'an application',
  '/events': 'its list of events',
};

const ITEMS = {
  'application.submitted': 'the application',
  'resume.fetched': 'the fetched résumé',
  'resume.failed': 'the news that the résumé failed',
  'application.changed': 'the news of a change',
  'candidate.erased': 'the erasure of the candidate',
} as const;

/** Says what happened in a sentence for people who do not know the API. */
export function entrySentence(entry: TimelineEntry): Child {
  switch (entry.kind) {
    case 'command':
      return actSentence(entry.auditEntry);
    case 'submitted':
      return `${entry.keyLabel} submitted a candidate.`;
    case 'request':
      return requestSentence(entry.request);
    case 'event':
      return `“${labelOf(entry.type)}” was recorded for the partner. ${STATES[entry.state]}`;
    case 'attempt':
      return attemptSentence(entry.attempt);
    case 'delivered':
      return 'The partner’s endpoint accepted the event.';
    case 'inbox':
      return inboxSentence(entry.entry);
    case 'resume':
      return entry.state === 'fetched'
        ? 'The résumé was fetched and stored.'
        : `The résumé could not be fetched: ${(entry.reason ?? 'unknown').replaceAll('_', ' ')}.`;
    case 'read': {
      const { route, count } = entry.reads;
      return `The partner read ${READS[route] ?? route}${count === 1 ? '' : `, ${countText(count)} times in a minute`}.`;
    }
  }
}

const STATES = {
  pending: 'It waits to be sent.',
  delivered: 'It was delivered.',
  dead: 'All ten attempts to send it failed.',
  cancelled: 'It was cancelled.',
} as const;

type EntryOf<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { readonly kind: Kind }>;

function attemptSentence({ number, outcome }: EntryOf<'attempt'>['attempt']): string {
  const isDone = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
  return `Attempt ${number} to tell the partner ${isDone ? 'succeeded' : 'failed'}: ${outcomeSentence(outcome)}.`;
}

function requestSentence({ code, count, keyLabel, isReplay }: EntryOf<'request'>['request']): string {
  const who = keyLabel ?? 'A client without a valid key';
  if (code !== null) {
    return count === 1
      ? `A request of ${keyLabel ?? 'a client without a valid key'} was refused: ${code}.`
      : `${countText(count)} requests of ${keyLabel ?? 'a client without a valid key'} were refused: ${code}.`;
  }
  return isReplay
    ? `${who} repeated an earlier request and got the same answer.`
    : 'The platform accepted the submission.';
}

function inboxSentence({ kind, receivedAt, failures, retryAt, parkedAt }: EntryOf<'inbox'>['entry']): Child {
  const item = ITEMS[kind];
  if (receivedAt !== null) return `The platform’s own system received ${item}.`;
  const times = `${countText(failures)} ${failures === 1 ? 'time' : 'times'}`;
  if (parkedAt !== null) return `The platform’s own system refused ${item} ${times}, so it is parked.`;
  if (failures === 0)
    return `The platform’s own system has not fetched ${item} from the inbox yet. Staff can act on it here already.`;
  return (
    <>
      {`The platform’s own system refused ${item} ${times}.`}
      {retryAt === null ? null : (
        <>
          {' The next try is '}
          <Time at={retryAt} />.
        </>
      )}
    </>
  );
}
