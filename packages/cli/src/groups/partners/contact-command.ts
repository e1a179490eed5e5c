import type { Partner, PartnerContact, PartnerTarget } from '@partner-hiring/core';
import type { OperatorCommand } from '../../command/command.js';
import { UsageError } from '../../command/command-error.js';
import { formOf } from '../../command/command-form.js';
import type { CommandInput } from '../../command/command-input.js';
import { sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

const form = formOf('partners.update', { without: ['name', 'disabled'] });

/** Sets, clears or shows the contact of a partner. */
export const contact: OperatorCommand = {
  library: 'partners.update',
  summary: 'Sets, clears or shows the contact of a partner, who gets messages about its access',
  arguments: form.arguments,
  options: {
    name: { summary: 'The name of the contact', value: 'name' },
    email: { summary: 'The e-mail address of the contact', value: 'address' },
    clear: { summary: 'Clears the contact: nobody gets messages' },
  },
  run: async (operator, input) => {
    const target = form.read<PartnerTarget>(input);
    const given = contactIn(input);
    if (given !== undefined) {
      const outcome = await operator.partners.update({ ...target, contact: given });
      return sentence(
        outcome.changed ? stateOf(outcome.partner) : `Unchanged. ${stateOf(outcome.partner)}`,
        outcome,
      );
    }
    const partner = await operator.partners.find(target);
    if (partner === null) throw form.notFound(target);
    return sentence(stateOf(partner), partner.contact);
  },
};

/** Returns undefined to only show the contact. */
function contactIn(input: CommandInput): PartnerContact | null | undefined {
  const name = input.option('name');
  const email = input.option('email');
  if (input.isSet('clear')) {
    if (name === undefined && email === undefined) return null;
    throw new UsageError('--clear cannot be combined with --name or --email.');
  }
  if (name === undefined && email === undefined) return undefined;
  if (name !== undefined && email !== undefined) return { name, email };
  throw new UsageError('A contact needs both --name and --email.');
}

function stateOf({ contact: known, name }: Partner): string {
  const partner = terminalText(name);
  if (known === null) return `${partner} has no contact, so nobody there gets messages.`;
  return `The contact of ${partner} is ${terminalText(known.name)} <${terminalText(known.email)}>.`;
}
