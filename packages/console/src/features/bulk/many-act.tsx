import type { ApplicationFilter, CompanyId, InputOf, ResultOf } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import { defineNotices } from '../../http/notices.js';
import type { Fields, RunAction, ScreenAction, ScreenCall } from '../../http/screen.js';
import { defineAct, goTo, pageOfAct, RefusedAct } from '../../screens/parts/define-act.js';
import { HiddenFields } from '../../view/forms.js';
import { countText } from '../../view/parts.js';

/** What the acts on many objects say. */
export const bulkNotices = defineNotices({
  done: {
    'many-started': (count) =>
      `The worker changes ${count === 1 ? '1 row' : `${countText(count)} rows`}, one part after the other. This page shows how far it is.`,
  },
  refused: {
    'choose-rows': 'Nothing was chosen. Tick the rows to change.',
    'no-row-to-change': 'Nothing was changed: no row can be changed like this.',
  },
});

type Input = InputOf<'bulk.start'>;

/** An act on the rows of a list, or on all that its filter finds. */
interface ManyAct {
  /** The address, below the page of the list. */
  readonly path: string;
  readonly verb: string;
  readonly noun: readonly [one: string, many: string];
  /** The consequence that the confirmation names. */
  readonly text: string;
  readonly isFinal?: boolean;
  /** What it does. The rows are added to it. */
  readonly input: Readonly<Record<string, unknown>> & Pick<Input, 'act'>;
}

const APPLICATIONS = ['application', 'applications'] as const;
const ENDPOINTS = ['endpoint', 'endpoints'] as const;
const KEYS = ['partner key', 'partner keys'] as const;

const DECISION = 'Each partner gets an event for each of its applications. This cannot be undone.';

export const APPLICATION_ACTS: readonly ManyAct[] = [
  {
    path: 'reject-many',
    verb: 'Reject',
    noun: APPLICATIONS,
    text: DECISION,
    isFinal: true,
    input: { act: 'applications.decide', decision: 'rejected' },
  },
  {
    path: 'hire-many',
    verb: 'Hire',
    noun: APPLICATIONS,
    text: DECISION,
    isFinal: true,
    input: { act: 'applications.decide', decision: 'accepted' },
  },
];

export const ENDPOINT_ACTS: readonly ManyAct[] = [
  {
    path: 'pause-many',
    verb: 'Pause',
    noun: ENDPOINTS,
    text: 'Events are still recorded. They are sent when somebody resumes sending.',
    input: { act: 'endpoints.pause' },
  },
  {
    path: 'resume-many',
    verb: 'Resume',
    noun: ENDPOINTS,
    text: 'Everything that waits is sent, each endpoint at its own pace.',
    input: { act: 'endpoints.resume' },
  },
  {
    path: 'resend-many',
    verb: 'Resend undelivered events of',
    noun: ENDPOINTS,
    text: 'Dead letters start ten new attempts. What waits for a retry is sent now. A paused endpoint gets them when it is resumed.',
    input: { act: 'deliveries.resend', only: 'undelivered' },
  },
];

export const COMPANY_ACTS: readonly ManyAct[] = [
  {
    path: 'revoke-all',
    verb: 'Revoke access of',
    noun: KEYS,
    text: 'Each of them gets an event for each job that it saw. You can grant access again, to one key on its page, or to all.',
    input: { act: 'access.revoke', all: true },
  },
  {
    path: 'grant-all',
    verb: 'Grant access to',
    noun: KEYS,
    text: 'Each of them gets an event for each open job. A key whose access was revoked gets it again.',
    input: { act: 'access.grant', all: true },
  },
];

/** Returns those that the actor may do, with all that a filter finds or with its own rows. */
export function allowedOf({ gate }: ScreenCall, acts: readonly ManyAct[]): readonly ManyAct[] {
  return acts.filter(({ input: { act } }) => gate.may(RIGHTS[act]) && gate.may('operations:read'));
}

const RIGHTS = {
  'applications.decide': 'applications:decide',
  'access.grant': 'access:grant',
  'access.revoke': 'access:revoke',
  'endpoints.pause': 'endpoints:pause',
  'endpoints.resume': 'endpoints:resume',
  'deliveries.resend': 'deliveries:resend',
} as const;

/** The fields of a filter of applications that the form of their list keeps. */
const FILTER_NAMES = ['keyId', 'companyId', 'jobId', 'status'] as const;

function filterOfForm(form: Fields): Partial<ApplicationFilter> {
  const given = FILTER_NAMES.map((name) => [name, form.text(name)] as const);
  const submittedSince = form.text('submittedSince');
  return {
    ...Object.fromEntries(given.filter(([, value]) => value !== null)),
    ...(submittedSince === null ? {} : { submittedSince: Number(submittedSince) }),
  };
}

/** The name of the button for all that the filter finds. */
export const ALL = 'all';

/** The ticked rows, or the filter of their list. */
function rowsOf(call: ScreenAction, { act }: Pick<Input, 'act'>): object {
  const { gate, form } = call;
  gate.require(RIGHTS[act]);
  const isOfCompany = act === 'access.grant' || act === 'access.revoke';
  const isAll = isOfCompany || form.text(ALL) !== null;
  if (isAll && act === 'applications.decide') return filterOfForm(form);
  if (isAll && !gate.isForAllPartners) throw new NothingHere();
  if (isAll) return isOfCompany ? { companyId: call.param('id') as CompanyId } : { all: true };
  const ids = [...new Set(form.all('chosen'))];
  if (ids.length === 0) throw new RefusedAct(bulkNotices.refused('choose-rows'));
  return { ids };
}

/** Returns the act with its question, which counts the rows and names the first ones. */
function defineManyAct({ verb, noun, text, isFinal = false, input }: ManyAct): RunAction {
  const amount = (count: number, isExact = true) =>
    `${countText(count, isExact)} ${count === 1 ? noun[0] : noun[1]}`;
  return defineAct<Input>({
    back: pageOfAct,
    find: (call) => ({ ...input, ...rowsOf(call, input) }) as Input,
    ask: async (subject, call) => {
      const found = await call.gate.call('bulk.start', { ...subject, dryRun: true });
      const { count, isExact, asOf } = found;
      if (count === 0) throw new RefusedAct(bulkNotices.refused('no-row-to-change'));
      return {
        title: `${verb} ${amount(count, isExact)}?`,
        text: `${text} The worker does it in steps: you can watch it, and stop it.`,
        facts: [['The first of them', namesOf(found)]],
        confirm: `${verb} ${amount(count, isExact)}`,
        isFinal,
        more: <HiddenFields fields={[['asOf', String(asOf)]]} />,
      };
    },
    run: async (subject, call) => {
      const asOf = Number(call.form.text('asOf') ?? Number.NaN);
      const isDecision = subject.act === 'applications.decide' && !('ids' in subject);
      const started = await call.gate.call(
        'bulk.start',
        isDecision && Number.isSafeInteger(asOf) ? { ...subject, asOf } : subject,
      );
      const { operation, count } = started;
      if (operation === null) throw new RefusedAct(bulkNotices.refused('no-row-to-change'));
      const to = call.link('operations', `/${operation.id}`) ?? pageOfAct(call);
      return goTo(to, [bulkNotices.done('many-started'), count]);
    },
  });
}

function namesOf({ items, count }: ResultOf<'bulk.start'>): string {
  const names = items.map((item) =>
    'candidate' in item
      ? `${item.candidate.firstName} ${item.candidate.lastName} (${item.jobTitle}, ${item.keyLabel})`
      : item.keyLabel,
  );
  return `${names.join(', ')}${count > names.length ? ` and ${countText(count - names.length)} more` : ''}`;
}

/** Returns acts by path. */
export function manyActsAt(page: string, acts: readonly ManyAct[]): Readonly<Record<string, RunAction>> {
  return Object.fromEntries(acts.map((act) => [`${page}/${act.path}`, defineManyAct(act)]));
}
