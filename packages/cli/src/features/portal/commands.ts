import type { InputOf } from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { moment } from '../../report/report.js';

type LinkInput = InputOf<'portal.createLink'>;

const link = libraryCommand(
  'portal.createLink',
  (made) =>
    `Give this link only to the partner. It works once, until ${moment(made.expiresAt)}:\n  ${made.link}`,
  {
    without: ['expiresInMs'],
    adds: {
      options: {
        rights: {
          value: 'NAMES',
          summary: 'Only these rights, separated by commas; default: all that show no secret',
        },
      },
      read: (input) => {
        const names = (input.option('rights') ?? '').split(',').flatMap((name) => name.trim() || []);
        // The library checks the names.
        return { rights: names.length === 0 ? undefined : (names as unknown as LinkInput['rights']) };
      },
    },
  },
);

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
