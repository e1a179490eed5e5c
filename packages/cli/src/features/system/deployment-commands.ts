import type { InputOf, ResultOf } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { formOf } from '../../command/command-form.js';
import { libraryCommand } from '../../command/library-command.js';
import { askFirst, counted, YES_OPTION } from '../../report/ask-first.js';
import { moment, sentence } from '../../report/report.js';

type DeploymentToClaim = InputOf<'deployment.claim'>;
type FoundDeployment = ResultOf<'system.status'>['deployment'];

const find = libraryCommand(
  'system.status',
  ({ deployment }) => ({
    text: describe(deployment),
    value: deployment,
    isBadNews: !deployment.isSending,
  }),
  {
    summary: 'Shows to which deployment the database belongs, and whether this process sends',
    without: ['hours', 'sealing'],
  },
);

function describe({ named, process, advice }: FoundDeployment): string {
  const database =
    named === null
      ? 'The database has no name.'
      : `The database belongs to ${named.name}, since ${moment(named.namedAt)}.`;
  const own = process === null ? 'This process has no name' : `This process is ${process}`;
  return [database, advice ?? `${own}, and sends.`].join('\n');
}

const rename = libraryCommand(
  'deployment.rename',
  ({ changed }, { name }) =>
    changed ? `The database belongs to ${name}.` : `Unchanged: it belongs to ${name}.`,
  { summary: 'Gives the database a name, at the place where it is now. Changes nothing else' },
);

const form = formOf('deployment.claim', { without: ['name'] });

const claim: OperatorCommand = {
  library: 'deployment.claim',
  summary:
    'Takes a copy over: pauses its endpoints and drops what waited; counts first, and needs its old name in --from',
  arguments: ['name'],
  options: { ...form.options, ...YES_OPTION },
  run: async (operator, input, dialog) => {
    const given = { ...form.read<DeploymentToClaim>(input), name: input.argument('name') };
    if (given.dryRun !== true && !input.isSet('yes')) {
      const counts = await operator.deployment.claim({ ...given, dryRun: true });
      const would = wouldText(counts, given) + originalText(await operator.system.status());
      const refused = await askFirst(input, dialog, {
        count: Math.max(1, counts.endpoints),
        question: `${would} Claim this copy? This cannot be undone.`,
        refusal: `Nothing was changed. ${would}`,
        value: { ...counts, changed: false },
      });
      if (refused !== null) return refused;
    }
    const claimed = await operator.deployment.claim(given);
    if (!claimed.changed) {
      return sentence(wouldText(claimed, given) + originalText(await operator.system.status()), claimed);
    }
    const erasure =
      claimed.operation === null
        ? ''
        : ` The worker erases all candidates: operations show ${claimed.operation.id}.`;
    return sentence(
      `The database belongs to ${given.name}. Paused: ${counted(claimed.endpoints, 'endpoint')}. ` +
        `Dropped: ${counted(claimed.deliveries, 'event')}.${erasure}`,
      claimed,
    );
  },
};

function wouldText(
  counts: ResultOf<'deployment.claim'>,
  { revokeKeys, eraseCandidates }: DeploymentToClaim,
): string {
  const { endpoints, deliveries, downloads, alerts, portalPasses, keySecrets } = counts;
  const keys =
    revokeKeys === true
      ? `, revokes ${counted(keySecrets, 'API key')}`
      : `; API keys that keep working: ${keySecrets}`;
  const erases = eraseCandidates === true ? ', and all candidates are erased' : '';
  return (
    `A claim pauses ${counted(endpoints, 'endpoint')}, drops ${counted(deliveries, 'event')}, ${counted(downloads, 'download')} ` +
    `and ${counted(alerts, 'alert')}, ends the links and sessions of the portal (${portalPasses})${keys}${erases}.`
  );
}

/** A claim of the original would stop production. */
function originalText({ deployment: { named } }: ResultOf<'system.status'>): string {
  if (named?.isInPlace !== true) return '';
  return ` This database is where \`${named.name}\` was named: it is \`${named.name}\` itself, or a physical copy of it.`;
}

/** Commands on the deployment that the database belongs to. */
export const deploymentGroup: CommandGroup = {
  summary: 'Which deployment the database belongs to, and copies of it',
  standard: 'find',
  commands: { find, rename, claim },
};
