import type { Answer } from '../answer.js';
import { bodyOf } from '../samples.js';
import { type Check, type Stage, sending } from './check.js';
import { foreignSecret } from './signatures.js';

/** What comes while one secret replaces another. */
export const SEVERAL_V1_CHECKS: readonly Check[] = [
  {
    name: 'other_v1_first',
    sent: 'two v1, the first by a secret that the receiver need not have',
    expects: 'taken',
    finding: 'compares_one_v1',
    run: sending(({ sign, sample, secrets }) =>
      sign(bodyOf(sample()), { secrets: [foreignSecret(), ...secrets] }),
    ),
  },
  {
    name: 'other_v1_last',
    sent: 'two v1, the last by a secret that the receiver need not have',
    expects: 'taken',
    finding: 'compares_one_v1',
    run: sending(({ sign, sample, secrets }) =>
      sign(bodyOf(sample()), { secrets: [...secrets, foreignSecret()] }),
    ),
  },
];

/** For a receiver in the midst of a rotation: several secrets are valid. */
export const OVERLAP_CHECK: Check = {
  name: 'each_secret',
  sent: 'a delivery by each of the valid secrets alone',
  expects: 'taken',
  finding: 'ignores_a_secret',
  run: (stage) => signedByEach(stage, stage.secrets),
};

/** For a receiver after a rotation. */
export const OLD_SECRET_CHECK: Check = {
  name: 'old_secret',
  sent: 'a delivery by a secret whose overlap has ended',
  expects: 'refused',
  finding: 'accepts_old_secret',
  run: (stage) => signedByEach(stage, stage.oldSecrets),
};

async function signedByEach(stage: Stage, secrets: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const secret of secrets) {
    answers.push(await stage.send(await stage.sign(bodyOf(stage.sample()), { secrets: [secret] })));
  }
  return answers;
}
