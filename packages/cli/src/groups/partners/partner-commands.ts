import type { Partner, PartnerTarget } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { formOf } from '../../command/command-form.js';
import { libraryCommand } from '../../command/library-command.js';
import { askFirst, YES_OPTION } from '../../report/ask-first.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { contact } from './contact-command.js';
import { createCommand } from './create-command.js';
import { healthReport } from './health-report.js';

const removal = formOf('partners.remove');

const remove: OperatorCommand = {
  library: 'partners.remove',
  summary: 'Removes a partner for good: revokes its secrets and hides it; asks first',
  arguments: removal.arguments,
  options: { ...removal.options, ...YES_OPTION },
  run: async (operator, input, dialog) => {
    const target = removal.read<PartnerTarget>(input);
    const partner = await operator.partners.find(target);
    if (partner === null) throw removal.notFound(target);
    const name = terminalText(partner.name);
    const refused = await askFirst(input, dialog, {
      count: partner.removedAt === null ? 1 : 0,
      question: `Remove ${name}? Its secrets stop working at once, and events that wait are never sent. This cannot be undone.`,
      refusal: `${name} was not removed.`,
      value: { removed: false },
    });
    if (refused !== null) return refused;
    const outcome = await operator.partners.remove(target);
    const { changed, revokedSecrets } = outcome;
    const done = `Removed ${name}. Secrets revoked: ${revokedSecrets}. Its applications and events are kept.`;
    return sentence(changed ? done : 'Unchanged: the partner was already removed.', outcome);
  },
};

/** Commands on partners. */
export const partnerGroup: CommandGroup = {
  summary: 'Applicant-tracking systems',
  standard: 'list',
  commands: {
    list: listCommand('partners.list', {
      columns: {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        SINCE: ({ createdAt }) => moment(createdAt),
        DISABLED: ({ disabledAt }) => moment(disabledAt),
        REMOVED: ({ removedAt }) => moment(removedAt),
      },
      empty: ({ onlyRemoved }) =>
        onlyRemoved === true ? 'No removed partners.' : 'No partners. Create one: partners create <name>',
    }),
    health: libraryCommand(
      'partners.find',
      ({ health }) => (health === null ? 'No figures.' : healthReport(health)),
      {
        summary: 'Shows how a partner does: requests, errors, deliveries, latency',
        without: ['health'],
        adds: { options: {}, read: () => ({ health: true }) },
      },
    ),
    create: createCommand,
    rename: libraryCommand(
      'partners.update',
      ({ partner, changed }) =>
        changed
          ? `Renamed to ${terminalText(partner.name)}.`
          : 'Unchanged: the partner already has this name.',
      { summary: 'Renames a partner', without: ['disabled'], needs: ['name'] },
    ),
    contact,
    disable: turn(true, 'Disables a partner: its keys get 401 and its events wait, until it is enabled', {
      changed: ({ id }) => `Disabled: its keys get 401, and its events wait. To undo: partners enable ${id}`,
      unchanged: 'Unchanged: the partner was already disabled.',
    }),
    enable: turn(false, 'Enables a disabled partner, and sends the events that waited', {
      changed: () => 'Enabled: its keys work, and the events that waited are sent.',
      unchanged: 'Unchanged: the partner is enabled.',
    }),
    remove,
  },
};

function turn(
  disabled: boolean,
  summary: string,
  said: { readonly changed: (partner: Partner) => string; readonly unchanged: string },
): OperatorCommand {
  return libraryCommand(
    'partners.update',
    ({ partner, changed }) => (changed ? said.changed(partner) : said.unchanged),
    { summary, without: ['name', 'disabled'], adds: { options: {}, read: () => ({ disabled }) } },
  );
}
