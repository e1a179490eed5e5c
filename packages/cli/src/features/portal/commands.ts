import type { InputOf } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { formOf } from '../../command/command-form.js';
import { libraryCommand } from '../../command/library-command.js';
import { moment, sentence } from '../../report/report.js';

type LinkInput = InputOf<'portal.createLink'>;

const form = formOf('portal.createLink', { without: ['expiresInMs'] });

const link: OperatorCommand = {
  library: 'portal.createLink',
  arguments: form.arguments,
  options: {
    ...form.options,
    rights: {
      value: 'NAMES',
      summary: 'Only these rights, separated by commas; default: all that show no secret',
    },
  },
  run: async (operator, input) => {
    const given = form.read<LinkInput>(input);
    const names = (input.option('rights') ?? '').split(',').flatMap((name) => name.trim() || []);
    // The library checks the names.
    const rights = names.length === 0 ? undefined : (names as unknown as LinkInput['rights']);
    const made = await operator.portal.createLink({ ...given, rights });
    const text = `Give this link only to the partner. It works once, until ${moment(made.expiresAt)}:\n  ${made.link}`;
    return sentence(text, made);
  },
};

/** Commands on the portal of partners. */
export const portalGroup: CommandGroup = {
  summary: 'Links and sessions of partners in their portal',
  standard: 'link',
  commands: {
    link,
    revoke: libraryCommand(
      'portal.revoke',
      ({ links, sessions, changed }) =>
        !changed
          ? 'Unchanged: the partner has no link and no session.'
          : `Ended ${links} ${links === 1 ? 'link' : 'links'} and ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`,
      { needs: ['partnerId'], without: ['token', 'host'] },
    ),
  },
};
