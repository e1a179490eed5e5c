import type { KeyId, SealingReport } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { describeBehind, describeSealed } from '../../doctor/checks/sealing-key.js';
import { askFirst, counted, YES_OPTION } from '../../report/ask-first.js';

const find = libraryCommand(
  'secrets.find',
  (found) => ({
    text: [describeSealed(found), describeBehind(found), ...(found.left === 0 ? [] : [nextStep(found)])].join(
      '\n',
    ),
    value: found,
    isBadNews: found.counts.some(({ isKnown }) => !isKnown),
  }),
  { usesSealingKey: true },
);

function nextStep({ left, behind }: SealingReport): string {
  const first = behind.length === 0 ? '' : ' when these workers know the key';
  return `To seal the other ${counted(left, 'secret')} anew, run \`secrets reseal\`${first}.`;
}

const reseal: OperatorCommand = {
  library: 'secrets.reseal',
  summary: 'Seals all signing secrets anew with the first sealing key; partners change nothing',
  options: YES_OPTION,
  usesSealingKey: true,
  run: async (operator, input, dialog) => {
    const before = await operator.secrets.find();
    const behind = before.behind.length;
    const refused = await askFirst(input, dialog, {
      count: before.left === 0 ? 0 : behind,
      question: `${describeBehind(before)} They could not send until they know it. Seal anew now?`,
      refusal: `Nothing was changed. ${describeBehind(before)} Restart them with this key first.`,
      value: { ...before, resealed: 0 },
    });
    if (refused !== null) return refused;
    const failed: KeyId[] = [];
    let resealed = 0;
    for (let after: KeyId | undefined; ; ) {
      const batch = await operator.secrets.reseal({ after, force: behind > 0 });
      resealed += batch.resealed;
      failed.push(...batch.failed);
      if (batch.next === null) break;
      dialog?.warn(`Sealed anew: ${resealed} of ${before.left}.`);
      after = batch.next;
    }
    const { left } = await operator.secrets.find();
    const fix =
      failed.length > 0
        ? ` Give this command the key that sealed them, or check the key service. If the key is lost, run \`endpoints rotate-secret\`: ${failed.join(', ')}.`
        : ' Secrets were rotated meanwhile: run the command again.';
    return {
      text: `Sealed anew: ${counted(resealed, 'secret')}. Left under other keys: ${left}.${left === 0 ? '' : fix}`,
      value: { resealed, left, failed },
      isBadNews: left > 0,
    };
  },
};

/** Commands on the encryption of the signing secrets. */
export const secretGroup: CommandGroup = {
  summary: 'Which sealing keys encrypt the signing secrets, and the change to another key',
  standard: 'find',
  commands: { find, reseal },
};
