import type { OpenAlert } from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { FIXES } from './fixes.js';

/** An alert, and what to do about it. */
type Need = OpenAlert & { readonly fix: string };

/** Adds what to do about each alert. */
export function withFixes(alerts: readonly OpenAlert[]): readonly Need[] {
  return alerts.map((alert) => ({ ...alert, fix: FIXES[alert.name] }));
}

/** Describes alerts, each with what to do about it. */
export function alertsText(needs: readonly Need[]): string {
  if (needs.length === 0) return 'Nothing needs a person.';
  return needs
    .map(({ name, severity, since, finding, fix }) => {
      const from = since === null ? '' : ` Since ${moment(since)}.`;
      return `${name}: ${terminalText(finding)}${from} (${severity})\n  Fix: ${fix}`;
    })
    .join('\n');
}

const open = libraryCommand('alerts.open', (alerts) => {
  const needs = withFixes(alerts);
  return { value: needs, text: alertsText(needs), isBadNews: needs.length > 0 };
});

const sent = listCommand('alerts.listSent', {
  columns: {
    SENT: ({ sentAt }) => moment(sentAt),
    ALERT: ({ alert }) => alert.kind,
    RAISED: ({ alert }) => moment(alert.at),
    PARTNER: ({ partner }) => partner?.keyLabel ?? null,
    TO: ({ isTold }) => (isTold ? 'the platform, with a message for the partner' : 'the platform'),
  },
  empty: 'No alert was sent in the last 30 days.',
});

/** Commands that list open alerts, and sent ones with their receivers. */
export const alertGroup: CommandGroup = {
  summary: 'What needs a person, and which alerts were sent',
  standard: 'open',
  commands: { open, sent },
};
