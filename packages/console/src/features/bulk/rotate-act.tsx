import type { KeyView, Partner } from '@partner-hiring/core';
import type { RunAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { handOverSheet } from '../../screens/partners/hand-over-sheet.js';
import { currentSecretOf } from '../../screens/partners/last-use.js';
import { defineAct, RefusedAct } from '../../screens/parts/define-act.js';
import { findPartner } from '../../screens/parts/find-by-path.js';
import { askOverlap, readRotation, rotatedAlready } from '../../screens/parts/rotation.js';
import type { ShowSection } from '../../screens/sections.js';
import { ActionButton } from '../../view/forms.js';
import { Section } from '../../view/parts.js';
import { bulkNotices } from './screen.js';

interface Owner {
  readonly partner: Partner;
  readonly keys: readonly KeyView[];
}

/** Rotates all secrets of a partner, and shows them once on a sheet to hand over. */
export const rotateSecretsOfPartner: RunAction = defineAct<Owner>({
  find: async (call) => {
    call.gate.require('keys:rotate');
    call.gate.require('endpoints:rotate-secret');
    const partner = await findPartner(call);
    const { items: keys } = await call.gate.call('keys.list', { partnerId: partner.id });
    if (keys.length === 0) throw new RefusedAct(bulkNotices.refused('no-row-to-change'));
    return { partner, keys };
  },
  ask: ({ partner, keys }) => ({
    title: `Rotate all secrets of ${partner.name}?`,
    text: 'Each key gets a new API key, and each endpoint a new signing secret. You see them once, on the next page, as a sheet for the partner.',
    facts: [[LABELS.all.keys, keys.map(({ label }) => label).join(', ')]],
    ...askOverlap(
      keys.map((view) => currentSecretOf(view)?.lastFour ?? '').join(','),
      'How long the old secrets continue to work',
      LABELS.button.stopAtOnce,
    ),
  }),
  once: rotatedAlready('API key'),
  run: async ({ partner: { id, name } }, call) => {
    const rotation = { partnerId: id, ...readRotation(call.form) };
    const { keys, oldSecretsExpireAt } = await call.gate.call('bulk.rotateSecrets', rotation);
    return handOverSheet(call, { id, name, keys }, oldSecretsExpireAt);
  },
});

/** The button. Nothing for a disabled partner. */
export const rotationOfPartner: ShowSection<'partner'> = ({ call: { gate, at }, partner }) => {
  const may = gate.mayCall('bulk.rotateSecrets', { partnerId: partner.id }) && gate.may('keys:read');
  if (partner.disabledAt !== null || !may) return {};
  const action = at(`/partners/${partner.id}/rotate-secrets`);
  const middle = (
    <Section title="All secrets">
      <ActionButton action={action} label="Rotate all secrets…" />
    </Section>
  );
  return { middle };
};
