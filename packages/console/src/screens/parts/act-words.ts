import { type AuditEntry, type CommandName, OPERATOR_COMMANDS } from '@partner-hiring/core';
import { isAnyLibraryId } from '../../http/library-id.js';
import { shortId } from '../../view/ids.js';
import { countText, timeText } from '../../view/parts.js';
import { labelOf } from './choices.js';

type Entry = Pick<AuditEntry, 'actor' | 'act' | 'count' | 'filter' | 'before' | 'after'>;

const wordOf = (value: unknown) => (typeof value === 'string' ? labelOf(value).toLowerCase() : null);
const stage: (entry: Entry) => string | null = ({ after }) => wordOf(after?.stage);
const environment: (entry: Entry) => string | null = ({ after }) => wordOf(after?.environment);
const name: (entry: Entry) => string | null = ({ after }) => textOf(after?.name);
/** Writes the origin of a new URL, whether only its path is new, and whether it is an old one. */
const newUrl: (entry: Entry) => string | null = ({ after }) =>
  [textOf(after?.origin), textOf(after?.path), after?.restored === true ? 'restored' : null]
    .filter((part) => part !== null)
    .join(', ');
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

/** Writes the changes of a partner, such as `Acme is now Acme Talent, disabled`. */
const partnerChange: (entry: Entry) => string | null = ({ before, after }) =>
  [
    after?.name === undefined ? null : `${before?.name} is now ${after.name}`,
    after?.contact === undefined ? null : `contact ${after.contact}`,
    wordOf(after?.state),
  ]
    .filter((part) => part !== null)
    .join(', ');

/** What an act changed, for the commands whose name does not say all. */
const DETAILS: Readonly<Partial<Record<CommandName, (entry: Entry) => string | null>>> = {
  'applications.decide': ({ after }) => wordOf(after?.status),
  'applications.move': stage,
  'companies.create': name,
  'companies.rename': ({ before, after }) => `${before?.name} is now ${after?.name}`,
  // The actor says already that a person or the partner paused it.
  'endpoints.pause': ({ after }) =>
    after?.pausedReason === 'operator' || after?.pausedReason === 'partner'
      ? null
      : wordOf(after?.pausedReason),
  'endpoints.setUrl': newUrl,
  'inbox.turn': ({ after }) => (typeof after?.isOn === 'boolean' ? (after.isOn ? 'on' : 'off') : null),
  'jobs.syncs.request': ({ after }) =>
    after === null ? null : `up to ${countText(Number(after.applyUpTo))} missing jobs may close`,
  'jobs.setVisibility': ({ after }) => (after?.internalOnly === true ? 'internal only' : 'public'),
  'jobs.syncs.run': syncCounts,
  'jobs.update': changes,
  'keys.issue': environment,
  'keys.lowerLimits': ({ after }) => textOf(after?.reason),
  'partners.create': name,
  'partners.update': partnerChange,
};

/** What the actor of each command did to one object and to several, such as `closed the job` and `closed jobs`. */
const DID = new Map<string, { readonly one: string; readonly many: string }>(
  OPERATOR_COMMANDS.flatMap(({ name, pastTense: one, pastTenseOfMany: many }) =>
    one === null ? [] : [[name, { one, many: many ?? one }] as const],
  ),
);

/** Writes an act for a column or a choice, such as `Closed the job`. */
export function actName(act: string): string {
  const did = DID.get(act)?.one;
  return did === undefined ? act : `${did.charAt(0).toUpperCase()}${did.slice(1)}`;
}

/** Writes what an act did in detail, such as `video interview`. Null if its name says all. */
export function actDetail(entry: Entry): string | null {
  const more = DID.has(entry.act) ? (DETAILS[entry.act as CommandName]?.(entry) ?? null) : null;
  const count = more !== null || entry.count === null ? null : countInAll(entry.count);
  const parts = [more, count].filter((part) => part !== null && part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

/** Writes how many objects an act changed. */
export function countInAll(count: number): string {
  return count === 0 ? 'none' : `${countText(count)} in all`;
}

const ACTORS: Readonly<Record<string, string>> = {
  host: 'The platform',
  'system:auto-pause': 'The worker',
  'system:jobs-sync': 'The job sync',
  'system:retention': 'The worker',
  'system:sandbox': 'The sandbox',
};

type Named = { readonly actor: Pick<Entry['actor'], 'id' | 'name'> };

/** Writes who acted. */
export function actorName({ actor: { id, name: own } }: Named): string {
  return own ?? (Object.hasOwn(ACTORS, id) ? ACTORS[id] : undefined) ?? id;
}

const DOORS: Readonly<Record<Entry['actor']['door'], string>> = {
  library: 'the platform’s code',
  api: 'the API',
  portal: 'the portal',
  console: 'the console',
  command_line: 'the command line',
  automatic: 'no person',
};

/** Writes the way that an act came, such as `the portal`. */
export function doorText({ actor: { door } }: Pick<Entry, 'actor'>): string {
  return DOORS[door];
}

/** Writes why a person acted. Null for an act of the worker or of a partner, which never has a reason. */
export function reasonText({ actor: { id, reason } }: Pick<Entry, 'actor'>): string | null {
  if (reason !== null) return reason;
  return /^(system|partner):/.test(id) ? null : 'No reason was given';
}

/** Writes an act as a sentence: `Rosa began the evaluation (video interview). Reason: phone screen.` */
export function actSentence(entry: Entry): string {
  const detail = actDetail(entry);
  const did = DID.get(entry.act)?.[entry.count === null ? 'one' : 'many'] ?? entry.act;
  const { reason } = entry.actor;
  const why = reason === null ? '' : ` Reason: ${reason.replace(/\.$/, '')}.`;
  return `${actorName(entry)} ${did}${detail === null ? '' : ` (${detail})`}.${why}`;
}

/** Writes the changed fields: `status: received → accepted`. */
export function changesText({ before, after }: Pick<Entry, 'before' | 'after'>): string | null {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const texts = names.map((each) => {
    const [from, to] = [before?.[each], after?.[each]].map((value) => valueText(each, value));
    const now = to === '' ? 'none' : to;
    return from === '' ? `${fieldName(each)}: ${now}` : `${fieldName(each)}: ${from} → ${now}`;
  });
  return texts.length === 0 ? null : texts.join('; ');
}

/** Writes `pausedReason` as `paused reason`. */
export function fieldName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function valueText(field: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => valueText(field, each)).join(', ');
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' && /(At|Until)$/.test(field)) return timeText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return JSON.stringify(value);
  return isAnyLibraryId(value) ? shortId(value) : value.replaceAll('_', ' ');
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
