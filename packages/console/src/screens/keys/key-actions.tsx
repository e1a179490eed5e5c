import type { KeyView } from '@partner-hiring/core';
import type { RunAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { countText, Time } from '../../view/parts.js';
import { currentSecretOf, lastUseOf } from '../partners/last-use.js';
import { defineAct, pageOfAct, RefusedAct } from '../parts/define-act.js';
import { findKeyOfPath } from '../parts/find-by-path.js';
import { askOverlap, overlapFact, readRotation, rotatedAlready } from '../parts/rotation.js';
import { secretPage } from '../parts/secret-page.js';

const rotate = defineAct<KeyView>({
  find: findKeyOfPath,
  ask: (view) => ({
    title: 'Rotate the secret of this key?',
    text: 'You see the new secret once, on the next page. Give it to the partner before the old secrets stop working. If a secret has leaked, let the old ones stop now: this is enough, and nothing is left to revoke. They are then shown as expired.',
    facts: factsOf(view),
    ...askOverlap(
      currentSecretOf(view)?.lastFour ?? '',
      'How long the old secrets continue to work',
      LABELS.button.stopAtOnce,
    ),
  }),
  once: rotatedAlready('API key'),
  run: async ({ key, label }, call) => {
    const rotation = readRotation(call.form);
    const { secret } = await call.gate.call('keys.rotate', { id: key.id, ...rotation });
    return secretPage({
      title: 'Secret rotated',
      text: 'The partner calls the API with this secret as its API key.',
      facts: [
        [LABELS.one.partnerKey, label],
        [LABELS.key.oldSecrets, overlapFact(rotation.overlapMs, ['work', 'do not work'])],
      ],
      secrets: [[LABELS.key.apiKey, secret]],
      crumbs: [{ label: LABELS.one.key, href: pageOfAct(call) }],
      next: { label: 'Back to the key', href: pageOfAct(call) },
    });
  },
});

const revoke = defineAct({
  find: async (call) => {
    const view = await findKeyOfPath(call);
    const which = call.form.text('secret');
    const working = view.secrets.filter(({ state }) => state === 'current' || state === 'replaced');
    const chosen = which === 'all' ? working : working.filter(({ lastFour }) => lastFour === which);
    if (which === null || chosen.length === 0) throw new RefusedAct('secret-ended');
    return { view, which, chosen, isLast: chosen.length === working.length };
  },
  ask: ({ view, chosen, isLast }) => ({
    title: chosen.length === 1 ? 'Revoke this secret?' : `Revoke ${countText(chosen.length)} secrets?`,
    text: `It stops working at once. This cannot be undone. ${isLast ? 'No secret of this key works then: the partner gets 401 until you rotate the key and give it the new secret.' : 'The other secrets of this key continue to work.'}`,
    facts: [
      ...factsOf(view),
      [LABELS.key.secrets, chosen.map(({ prefix, lastFour }) => `${prefix}…${lastFour}`).join(', ')],
    ],
    confirm: 'Revoke',
    isFinal: true,
  }),
  run: async ({ view, which }, { gate }) => {
    const { id } = view.key;
    const revocation = which === 'all' ? ({ id, all: true } as const) : { id, secretLastFour: which };
    const { secrets } = await gate.call('keys.revoke', revocation);
    return ['secrets-revoked', secrets.length];
  },
});

function factsOf(view: KeyView) {
  return [
    [LABELS.one.key, view.label],
    [LABELS.lastUsedAt, <Time at={lastUseOf([view])} />],
  ] as const;
}

/** The acts on the secrets of a key. */
export const keyActions: Readonly<Record<string, RunAction>> = {
  '/keys/:key/rotate': rotate,
  '/keys/:key/revoke': revoke,
};
