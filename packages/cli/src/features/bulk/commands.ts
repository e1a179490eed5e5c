import type { InputOf, ResultOf } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { formOf } from '../../command/command-form.js';
import { libraryCommand } from '../../command/library-command.js';
import { askFirst, counted, YES_OPTION } from '../../report/ask-first.js';
import { moment, sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

/** `--since` is also the start of `submittedSince`. */
const form = formOf('bulk.start', { without: ['submittedSince', 'asOf'] });

const IDS = {
  id: {
    summary: 'Only this application, this company for all keys, or the endpoint of this key; may be repeated',
    value: 'ID',
    isRepeatable: true,
  },
};

/** Counts the objects and asks first. */
const start: OperatorCommand = {
  library: 'bulk.start',
  arguments: form.arguments,
  options: { ...form.options, ...IDS, ...YES_OPTION },
  run: async (operator, input, dialog) => {
    const { since, ...given } = form.read<InputOf<'bulk.start'>>(input);
    const ofTime = given.act === 'applications.decide' ? { submittedSince: since } : { since };
    const asked = { ...given, ...ofTime, ids: input.option('id')?.split(/\s+/) };
    const found = await operator.bulk.start({ ...asked, dryRun: true });
    const text = foundText(found);
    if (given.dryRun === true) return sentence(text, found);
    if (found.notice !== null) dialog?.warn(`Warning: ${found.notice}`);
    const { count } = found;
    const refused = await askFirst(input, dialog, {
      count,
      question: `${text}\nRun ${given.act} with ${count === 1 ? 'it' : 'all of them'}?`,
      refusal: `Nothing was changed. ${text}`,
      value: { changed: false, count },
    });
    if (refused !== null) return refused;
    const started = await operator.bulk.start(
      given.act === 'applications.decide' ? { ...asked, asOf: found.asOf } : asked,
    );
    const { operation } = started;
    if (operation === null) return sentence(text, started);
    const many = counted(started.count, 'object');
    return sentence(`The worker runs ${given.act} with ${many}: operations show ${operation.id}`, started);
  },
};

/** Names the first objects. */
function foundText({ items, count }: ResultOf<'bulk.start'>): string {
  const names = items.map((item) => `${'id' in item ? item.id : item.keyId} (${item.keyLabel})`);
  const first = names.length === 0 ? '' : `: ${terminalText(names.join(', '))}`;
  return `Found ${counted(count, 'object')}${first}${count > names.length ? ', and others' : ''}.`;
}

const rotateSecrets = libraryCommand(
  'bulk.rotateSecrets',
  ({ keys, oldSecretsExpireAt }) =>
    [
      `Save the new secrets now. They are not shown again. The old ones work until ${moment(oldSecretsExpireAt)}.`,
      ...keys.map(({ key, secret, endpoint }) =>
        [`${key.id} (${key.environment})`, secret, endpoint?.signingSecret].filter(Boolean).join('\n  '),
      ),
    ].join('\n'),
  // A secret on a command line is kept by the shell.
  { without: ['ifCurrent'], usesSealingKey: true },
);

/** Commands on many objects. */
export const bulkGroup: CommandGroup = {
  summary: 'Acts on many applications, companies or endpoints at once',
  commands: { start, 'rotate-secrets': rotateSecrets },
  standard: 'start',
};
