import type { AuditEntry, CommandName } from '@partner-hiring/core';
import { countText, timeText } from '../../view/parts.js';
import { labelOf } from './choices.js';

type Entry = Pick<AuditEntry, 'actor' | 'act' | 'count' | 'filter' | 'before' | 'after'>;

/** What somebody did, after their name: `closed the job`. */
type Words = string | readonly [did: string, more: (entry: Entry) => string | null];

const wordOf = (value: unknown) => (typeof value === 'string' ? labelOf(value).toLowerCase() : null);
const stage: (entry: Entry) => string | null = ({ after }) => wordOf(after?.stage);
const environment: (entry: Entry) => string | null = ({ after }) => wordOf(after?.environment);
const name: (entry: Entry) => string | null = ({ after }) => textOf(after?.name);
const changes: (entry: Entry) => string | null = ({ after }) =>
  after === null ? null : Object.keys(after).map(fieldName).join(', ');

/** Writes the changes of a job sync, such as `3 added, 2 closed`. */
const syncCounts: (entry: Entry) => string | null = ({ filter, after }) => {
  const closed = filter?.missing === 'archive' ? 'archived' : 'closed';
  return ['added', 'updated', 'reopened', 'closed', 'refused']
    .flatMap((each) => {
      const count = Number(after?.[each] ?? 0);
      return count === 0 ? [] : [`${countText(count)} ${each === 'closed' ? closed : each}`];
    })
    .join(', ');
};

/** A command that records an act, in words. Without a row here, the audit shows the name of the command. */
export const ACT_WORDS: Readonly<Partial<Record<CommandName, Words>>> = {
  'access.enableBootstrap': 'allowed more submissions for a day',
  'access.grant': 'granted access to a company',
  'access.grantMany': 'granted access to companies',
  'access.revoke': 'revoked access to a company',
  'applications.beginEvaluation': ['began the evaluation', stage],
  'applications.decide': ['decided on the application', ({ after }) => wordOf(after?.status)],
  'applications.fetchResumeAgain': 'had the résumé fetched again',
  'applications.moveStage': ['moved the application', stage],
  'audit.recordExport': 'exported a list',
  'candidates.erase': 'erased the candidate',
  'candidates.eraseMany': 'erased candidates',
  'candidates.reveal': 'looked at the candidate',
  'companies.create': ['added the company', name],
  'companies.rename': ['renamed the company', ({ before, after }) => `${before?.name} is now ${after?.name}`],
  'deliveries.cancel': 'cancelled the delivery',
  'deliveries.redeliver': 'sent the event again',
  'deliveries.redeliverAll': 'sent the dead letters of a key again',
  'deliveries.redeliverMany': 'sent events again',
  'deliveries.redeliverSince': 'replayed the events of a time',
  'endpoints.pause': ['paused sending', ({ after }) => wordOf(after?.pausedReason)],
  'endpoints.resume': 'resumed sending',
  'endpoints.rotateSecret': 'rotated the signing secret',
  'endpoints.setUrl': ['set the address of the endpoint', ({ after }) => textOf(after?.origin)],
  'inbox.retry': 'handed parked inbox items over again',
  'inbox.turnOff': 'turned the inbox off',
  'inbox.turnOn': 'turned the inbox on',
  'jobs.applyHeldSync': [
    'allowed the next job sync to close missing jobs',
    ({ after }) => `up to ${countText(Number(after?.applyUpTo ?? 0))}`,
  ],
  'jobs.archive': 'archived the job',
  'jobs.archiveMany': 'archived jobs',
  'jobs.close': 'closed the job',
  'jobs.closeAll': 'closed all jobs of a company',
  'jobs.closeMany': 'closed jobs',
  'jobs.markInternalOnly': 'hid the job from partners',
  'jobs.markPublic': 'showed the job to partners',
  'jobs.publish': 'published the job',
  'jobs.publishInSteps': 'began to publish jobs',
  'jobs.publishMany': 'published jobs',
  'jobs.put': 'saved the job',
  'jobs.putMany': 'saved jobs',
  'jobs.reopen': 'reopened the job',
  'jobs.reopenMany': 'reopened jobs',
  'jobs.sync': ['brought the jobs in step with their source', syncCounts],
  'jobs.syncSoon': 'asked for a job sync',
  'jobs.unarchive': 'unarchived the job',
  'jobs.update': ['changed the job', changes],
  'keys.issue': ['issued the key', environment],
  'keys.revoke': 'revoked secrets of the key',
  'keys.rotate': 'rotated the secret of the key',
  'operations.stop': 'stopped the operation',
  'partners.create': ['added the partner', name],
  'partners.disable': 'disabled the partner',
  'partners.enable': 'enabled the partner',
  'partners.onboard': 'brought the partner in',
  'partners.remove': 'removed the partner',
  'partners.rename': ['renamed the partner', ({ before, after }) => `${before?.name} is now ${after?.name}`],
  'sandbox.prepare': 'prepared the sandbox',
};

function wordsOf(act: string): Words | undefined {
  return Object.hasOwn(ACT_WORDS, act) ? ACT_WORDS[act as CommandName] : undefined;
}

/** Writes an act for a column or a choice, such as `Closed the job`. */
export function actName(act: string): string {
  const words = wordsOf(act);
  if (words === undefined) return act;
  const did = typeof words === 'string' ? words : words[0];
  return `${did.charAt(0).toUpperCase()}${did.slice(1)}`;
}

/** Writes what an act did in detail, such as `video interview`. Null if its name says all. */
export function actDetail(entry: Entry): string | null {
  const words = wordsOf(entry.act);
  const more = words === undefined || typeof words === 'string' ? null : words[1](entry);
  const count = more !== null || entry.count === null ? null : `${countText(entry.count)} in all`;
  const parts = [more, count].filter((part) => part !== null && part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

const ACTORS: Readonly<Record<string, string>> = {
  host: 'The platform',
  'system:auto-pause': 'The worker',
  'system:jobs-sync': 'The job sync',
  'system:retention': 'The worker',
  'system:sandbox': 'The sandbox',
};

/** Writes who acted. */
export function actorName({
  actor: { id, name: own },
}: {
  readonly actor: Pick<Entry['actor'], 'id' | 'name'>;
}): string {
  return own ?? (Object.hasOwn(ACTORS, id) ? ACTORS[id] : undefined) ?? id;
}

/** Writes an act as a sentence: `Rosa began the evaluation (video interview). Reason: phone screen.` */
export function actSentence(entry: Entry): string {
  const detail = actDetail(entry);
  const did = actName(entry.act);
  const { reason } = entry.actor;
  const why = reason === null ? '' : ` Reason: ${reason.replace(/\.$/, '')}.`;
  return `${actorName(entry)} ${did.charAt(0).toLowerCase()}${did.slice(1)}${detail === null ? '' : ` (${detail})`}.${why}`;
}

/** Writes the changed fields: `status: received → accepted`. */
export function changesText({ before, after }: Pick<Entry, 'before' | 'after'>): string | null {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const texts = names.map((each) => {
    const [from, to] = [before?.[each], after?.[each]].map((value) => valueText(each, value));
    return from === '' ? `${fieldName(each)}: ${to}` : `${fieldName(each)}: ${from} → ${to}`;
  });
  return texts.length === 0 ? null : texts.join('; ');
}

/** Writes `pausedReason` as `paused reason`. */
function fieldName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function valueText(field: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' && /(At|Until)$/.test(field)) return timeText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value.replaceAll('_', ' ') : JSON.stringify(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
