import type { KeyView, Partner } from '@partner-hiring/core';
import type { RunAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { handOverSheet } from '../../screens/partners/hand-over-sheet.js';
import { currentSecretOf } from '../../screens/partners/last-use.js';
import { defineAct, RefusedAct } from '../../screens/parts/define-act.js';
import { findPartner } from '../../screens/parts/find-by-path.js';
import { askOverlap, readRotation, rotatedAlready } from '../../screens/parts/rotation.js';
import type { ShowSection } from '../../screens/sections.js';
import { ActionButton } from '../../view/forms.js';
import { Section } from '../../view/parts.js';
import { bulkNotices } from './many-act.js';

interface Owner {
  readonly partner: Partner;
  readonly keys: readonly KeyView[];
}

async function findOwner(call: ScreenCall): Promise<Owner> {
  call.gate.require('keys:rotate');
  call.gate.require('endpoints:rotate-secret');
  const partner = await findPartner(call);
  const { items: keys } = await call.gate.call('keys.list', { partnerId: partner.id });
  if (keys.length === 0) throw new RefusedAct(bulkNotices.refused('no-row-to-change'));
  return { partner, keys };
}

/** Rotates all secrets of a partner, and shows them once on a sheet to hand over. */
export const rotateSecretsOfPartner: RunAction = defineAct<Owner>({
  find: findOwner,
  ask: ({ partner, keys }) => ({
    title: `Rotate all secrets of ${partner.name}?`,
    text: 'Each key gets a new API key, and each endpoint a new signing secret. You see them once, on the next page, as a sheet for the partner.',
    facts: [
      [LABELS.one.partner, partner.name],
      [LABELS.all.keys, keys.map(({ label }) => label).join(', ')],
    ],
    ...askOverlap(
      keys.map((view) => currentSecretOf(view)?.lastFour ?? '').join(','),
      'How long the old secrets continue to work',
      LABELS.button.stopAtOnce,
    ),
  }),
  once: rotatedAlready('API key'),
  run: async ({ partner }, call) => {
    const { keys, oldSecretsExpireAt } = await call.gate.call('bulk.rotateSecrets', {
      id: partner.id,
      ...readRotation(call.form),
    });
    return handOverSheet(call, { ...partner, keys }, oldSecretsExpireAt);
  },
});

/** The button. Nothing for a partner that is disabled or removed. */
export const rotationOfPartner: ShowSection<'partner'> = ({ call: { gate, at }, partner }) => {
  const may = gate.may('keys:rotate') && gate.may('endpoints:rotate-secret') && gate.may('keys:read');
  if (partner.disabledAt !== null || !may) return {};
  const middle = (
    <Section title="All secrets">
      <div class="actions">
        <ActionButton action={at(`/partners/${partner.id}/rotate-secrets`)} label="Rotate all secrets…" />
      </div>
    </Section>
  );
  return { middle };
};
