import type { KeyId, SealingReport } from '@partner-hiring/core';
import type { AnyOperator, CommandGroup, OperatorCommand } from '../../command/command.js';
import { describeBehind, describeSealed } from '../../doctor/checks/sealing-key.js';
import { askFirst, counted, YES_OPTION } from '../../report/ask-first.js';

const find: OperatorCommand = {
  library: 'system.status',
  summary:
    'Counts the signing secrets by the key that sealed them, and names workers that do not know the current key',
  usesSealingKey: true,
  run: async (operator) => {
    const found = await sealingOf(operator);
    const { left, counts } = found;
    const lines = [describeSealed(found), describeBehind(found), ...(left === 0 ? [] : [nextStep(found)])];
    return { text: lines.join('\n'), value: found, isBadNews: counts.some(({ isKnown }) => !isKnown) };
  },
};

async function sealingOf({ system }: AnyOperator): Promise<SealingReport> {
  const { sealing } = await system.status({ sealing: true });
  if (sealing === null) throw new Error('The status has no `sealing`.');
  return sealing;
}

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
    const before = await sealingOf(operator);
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
    const { left } = await sealingOf(operator);
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
