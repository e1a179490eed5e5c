import type { InputOf, ResultOf } from '@partner-hiring/core';
import { defineNotices } from '../../http/notices.js';
import type { RunAction, Screen, ScreenAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { ConsoleRight } from '../../rights.js';
import { defineAct, goTo, RefusedAct } from '../../screens/parts/define-act.js';
import { HiddenFields } from '../../view/forms.js';
import { countText, type FactRow } from '../../view/parts.js';

function startedText(count: number): string {
  return `The worker changes ${count === 1 ? '1 row' : `${countText(count)} rows`}, one part after the other. This page shows how far it is.`;
}

/** The notices of acts on many objects. */
export const bulkNotices = defineNotices({
  done: {
    'many-started': startedText,
    'fewer-started': (count) => `${startedText(count)} The others have changed since they were counted.`,
  },
  refused: {
    'choose-rows': 'Nothing was chosen. Tick the rows to change.',
    'no-row-to-change': 'Nothing was changed: no row can be changed like this.',
  },
});

type Input = InputOf<'bulk.start'>;

/** An act on the rows of a list, or on all that its filter finds. */
export interface ManyAct {
  readonly list: 'applications' | 'companies' | 'endpoints';
  readonly verb: string;
  /** The name of one object, and of many. */
  readonly noun: readonly [one: string, many: string];
  /** The consequence that the confirmation names. */
  readonly text: string;
  readonly isFinal?: boolean;
  /** The input of the command. The act adds the rows. */
  readonly input: Pick<Input, 'act' | 'decision' | 'only'>;
}

const DECISION = {
  list: 'applications',
  noun: ['application', 'applications'],
  text: 'Each partner gets an event for each of its applications. This cannot be undone.',
  isFinal: true,
} as const;

const ACCESS = { list: 'companies', noun: ['access of a partner key', 'accesses of partner keys'] } as const;
const SENDING = { list: 'endpoints', noun: ['endpoint', 'endpoints'] } as const;

/** The acts, by the last part of their address. */
export const MANY_ACTS: Readonly<Record<string, ManyAct>> = {
  reject: { ...DECISION, verb: 'Reject', input: { act: 'applications.decide', decision: 'rejected' } },
  hire: { ...DECISION, verb: 'Hire', input: { act: 'applications.decide', decision: 'accepted' } },
  revoke: {
    ...ACCESS,
    verb: 'Revoke',
    text: 'Each key gets an event for each job that it saw. You can grant access again, to one key on its page, or to all.',
    input: { act: 'access.revoke' },
  },
  grant: {
    ...ACCESS,
    verb: 'Grant',
    text: 'Each key gets an event for each open job. Access that was revoked is granted again.',
    input: { act: 'access.grant' },
  },
  pause: {
    ...SENDING,
    verb: 'Pause',
    text: 'Events are still recorded. They are sent when somebody resumes sending.',
    input: { act: 'endpoints.pause' },
  },
  resume: {
    ...SENDING,
    verb: 'Resume',
    text: 'Everything that waits is sent, each endpoint at its own pace.',
    input: { act: 'endpoints.resume' },
  },
  resend: {
    ...SENDING,
    verb: 'Resend undelivered events of',
    text: 'Dead letters start ten new attempts. What waits for a retry is sent now. A paused endpoint gets them when it is resumed.',
    input: { act: 'deliveries.resend', only: 'undelivered' },
  },
};

/** The filter of a list of applications, as its form keeps it. Its fields are checked by the command. */
function filterIn({ form }: ScreenAction): Pick<Input, 'keyId' | 'companyId' | 'jobId' | 'status'> {
  try {
    return JSON.parse(form.text('filter') ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** The list that the form was on, with its filter. */
function listOf(call: ScreenAction, { list }: ManyAct): string {
  if (list !== 'applications') return call.link(list === 'companies' ? 'jobs' : list, '') ?? call.at('/');
  const { keyId = null, companyId = null, jobId = null, status = null } = filterIn(call);
  return call.at('/applications', { key: keyId, company: companyId, job: jobId, status });
}

/** Returns the act with its question, which counts the rows and names the first ones. */
function defineManyAct(act: ManyAct): RunAction {
  const { list, verb, noun, text, isFinal = false, input } = act;
  return defineAct<Input>({
    back: (call) => listOf(call, act),
    find: (call) => {
      call.gate.require(input.act.replace('.', ':') as ConsoleRight);
      const ids = [...new Set(call.form.all('chosen'))];
      if (call.form.text('all') !== null) {
        const found = list === 'applications' ? filterIn(call) : { all: true };
        return { ...found, ...input, except: ids.length === 0 ? undefined : ids };
      }
      if (ids.length === 0) throw new RefusedAct(bulkNotices.refused('choose-rows'));
      return { ...input, ids };
    },
    ask: async (subject, call) => {
      const found = await call.gate.call('bulk.start', { ...subject, dryRun: true });
      const { count, asOf, notice } = found;
      if (count === 0) throw new RefusedAct(bulkNotices.refused('no-row-to-change'));
      const title = `${verb} ${countText(count)} ${count === 1 ? noun[0] : noun[1]}`;
      return {
        title: `${title}?`,
        text: `${text} The worker does it in steps: you can watch it, and stop it.`,
        warning: notice,
        facts: [namesOf(found), exceptOf(subject)],
        confirm: title,
        isFinal,
        more: (
          <HiddenFields
            fields={[
              ['counted', String(count)],
              ...(input.decision === undefined ? [] : [['asOf', String(asOf)] as const]),
            ]}
          />
        ),
      };
    },
    run: async (subject, call) => {
      const counted = call.form.text('asOf');
      const asOf = counted === null ? {} : { asOf: Number(counted) };
      const { operation, count } = await call.gate.call('bulk.start', { ...subject, ...asOf });
      if (operation === null) throw new RefusedAct(bulkNotices.refused('no-row-to-change'));
      const to = call.link('operations', `/${operation.id}`) ?? listOf(call, act);
      const isFewer = count < Number(call.form.text('counted') ?? count);
      return goTo(to, [bulkNotices.done(isFewer ? 'fewer-started' : 'many-started'), count]);
    },
  });
}

function namesOf({ items, count }: ResultOf<'bulk.start'>): FactRow {
  const names = items.map((item) => {
    if ('id' in item) return `${item.candidate.firstName} ${item.candidate.lastName} (${item.keyLabel})`;
    return item.companyName === undefined ? item.keyLabel : `${item.companyName} (${item.keyLabel})`;
  });
  const rest = count > names.length ? ` and ${countText(count - names.length)} more` : '';
  return [LABELS.firstOnes, names.join(', ') + rest];
}

/** Counts the ticked rows, which the act leaves out. Null for none. */
function exceptOf({ except = [] }: Input): FactRow {
  return except.length === 0 ? null : [LABELS.leftOut, countText(except.length)];
}

/** Acts on many rows of the lists of other screens. */
export const bulkScreen: Screen = {
  name: 'bulk',
  label: null,
  path: '/bulk',
  rights: [],
  pages: {},
  actions: Object.fromEntries(
    Object.entries(MANY_ACTS).map(([name, act]) => [`/bulk/${name}`, defineManyAct(act)]),
  ),
};
