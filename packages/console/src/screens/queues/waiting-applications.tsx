import type { ListedApplication } from '@partner-hiring/core';
import type { Fields, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { Column } from '../../view/data-table.js';
import { SelectField } from '../../view/forms.js';
import { durationText, Time } from '../../view/parts.js';
import { applicationColumns } from '../applications/application-columns.js';
import { choiceOf } from '../parts/choices.js';
import { cursorOf, type ListDeclaration } from '../parts/define-list.js';

const DAY_MS = 86_400_000;

/** An application that nobody has changed for this long waits. */
export const DEFAULT_DAYS = 14;

const MOST_DAYS = 3_650;

/** What an actor for some partners sees in place of a list over all partners. */
export const ONLY_FOR_ALL = {
  problem: 'Your rights cover some partners. This list is over all of them.',
  status: 200,
} as const;

/** Returns the instant some days ago. */
export function daysAgo(days: number): number {
  return Date.now() - days * DAY_MS;
}

/** Reads the days of the filter. Null for another text than a number of days. */
function readDays(fields: Fields): number | null {
  const days = Number(fields.text('days') ?? DEFAULT_DAYS);
  return Number.isInteger(days) && days >= 0 && days <= MOST_DAYS ? days : null;
}

const CHOICES = ['1', '3', '7', '14', '30', '60', '90', '180', '365'];

/** Chooses the days. Also offers those of a saved link. */
function DaysField({ value }: { readonly value: string }) {
  const choices = CHOICES.includes(value) ? CHOICES : [value, ...CHOICES];
  const options = choices.map((days) => [days, days === '1' ? '1 day' : `${days} days`] as const);
  return <SelectField name="days" label="Unchanged for" value={value} options={options} />;
}

/** Undecided applications of all partners that nobody has changed for some days, longest first. */
export const UNCHANGED: ListDeclaration<ListedApplication> = {
  title: 'Unchanged applications',
  path: '/queues/unchanged',
  fields: [
    {
      name: 'days',
      label: 'Unchanged for',
      kind: 'choice',
      show: (value) => <DaysField value={value ?? String(DEFAULT_DAYS)} />,
    },
    {
      name: 'status',
      label: LABELS.application.status,
      kind: 'choice',
      options: [
        ['received', 'Received'],
        ['in_progress', 'In progress'],
      ],
    },
  ],
  read: async (call, fields) => {
    if (!call.gate.isForAllPartners) return ONLY_FOR_ALL;
    const days = readDays(fields);
    if (days === null) return { problem: `Enter a number of days from 0 to ${MOST_DAYS}.` };
    const status = choiceOf('applications.list', 'status', fields.text('status'));
    const filter = { unchangedSince: daysAgo(days), status };
    return {
      ...(await call.gate.call('applications.list', { ...filter, cursor: cursorOf(fields) })),
      caption: `Applications that wait for a decision and have not changed for ${days} days, the longest first`,
      empty: `No application has waited for a decision for ${days} days without a change.`,
      columns: [
        ...waitingColumns(call),
        { header: LABELS.application.changedAt, cell: ({ changedAt }) => <Time at={changedAt} /> },
        {
          header: 'Unchanged for',
          cell: ({ changedAt }) => durationText(Math.max(0, Date.now() - changedAt)),
        },
      ],
    };
  },
};

/** The partner's own id says nothing about what waits. */
export function waitingColumns(call: ScreenCall): readonly Column<ListedApplication>[] {
  return applicationColumns(call).filter(({ header }) => header !== 'Source id');
}
