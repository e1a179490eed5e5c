import type { Partner } from '@partner-hiring/core';
import { actsOf } from '../../features/features.js';
import type { RunAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { ActionButton, SubmitButton, TextField } from '../../view/forms.js';
import { Section } from '../../view/parts.js';
import { type ActDeclaration, change, defineAct, RefusedAct } from '../parts/define-act.js';
import { findPartner } from '../parts/find-by-path.js';
import type { Sections } from '../sections.js';
import { clearContact, setContact } from './contact-act.js';
import { resendToPartnerAct } from './resend-act.js';

const disabled =
  (disabled: boolean) =>
  ({ id }: Partner) => ({ id, disabled });

function onPartner(act: Pick<ActDeclaration<Partner>, 'ask' | 'run'>): RunAction {
  return defineAct<Partner>({ find: findPartner, ...act });
}

const rename = defineAct<{ readonly partner: Partner; readonly name: string }>({
  find: async (call) => {
    const partner = await findPartner(call);
    const name = call.form.text('name');
    if (name === null) throw new RefusedAct('enter-new-name');
    return { partner, name };
  },
  ask: ({ partner, name }) => ({
    title: 'Rename this partner?',
    text: 'Lists, pages and the command line show the new name. The partner gets no event.',
    facts: [
      [LABELS.name, partner.name],
      [LABELS.newName, name],
    ],
    confirm: LABELS.button.rename,
  }),
  run: change(
    'partners.update',
    ({ partner: { id }, name }) => ({ id, name }),
    'partner-renamed',
    'partner-named-before',
  ),
});

/** The acts on a partner as a whole. */
export const partnerActs: Readonly<Record<string, RunAction>> = {
  '/partners/:id/rename': rename,
  '/partners/:id/contact': setContact,
  '/partners/:id/clear-contact': clearContact,
  '/partners/:id/resend': resendToPartnerAct,
  ...actsOf('partner'),
  '/partners/:id/disable': onPartner({
    ask: ({ name }) => ({
      title: 'Disable this partner?',
      text: 'From its next request on, its keys get 401, and nothing is sent to it. Nothing is lost: keys, access and applications stay, and its events wait until you enable it again. You may still decide about its applications.',
      facts: [[LABELS.one.partner, name]],
      confirm: 'Disable',
    }),
    run: change('partners.update', disabled(true), 'partner-disabled', 'partner-disabled-before'),
  }),
  '/partners/:id/enable': onPartner({
    ask: ({ name }) => ({
      title: 'Enable this partner?',
      text: 'Its keys work again, and the events that waited are sent.',
      facts: [[LABELS.one.partner, name]],
      confirm: 'Enable',
    }),
    run: change('partners.update', disabled(false), 'partner-enabled', 'partner-enabled-before'),
  }),
  '/partners/:id/remove': onPartner({
    ask: ({ name }) => ({
      title: 'Remove this partner?',
      text: 'All its secrets are revoked at once, and it no longer appears in lists. Events that wait are never sent. Its applications, events and the audit are kept, because they refer to it. This cannot be undone: to stop it for a while, disable it instead.',
      facts: [[LABELS.one.partner, name]],
      confirm: 'Remove',
      isFinal: true,
    }),
    run: change('partners.remove', ({ id }) => ({ id }), 'partner-removed', 'partner-removed-before'),
  }),
};

/** The buttons for these acts. Null for an actor who may do none of them, and for a removed partner. */
export function PartnerActsSection({
  call,
  partner: { id, name, disabledAt, removedAt },
}: Sections['partner']) {
  const { gate } = call;
  const rights = ['partners:rename', 'partners:disable', 'partners:remove'] as const;
  if (!gate.isForAllPartners || removedAt !== null || !rights.some(gate.may)) return null;
  const to = (act: string) => call.at(`/partners/${id}/${act}`);
  const [act, label] = disabledAt === null ? ['disable', 'Disable…'] : ['enable', 'Enable…'];
  return (
    <Section title="Rename, disable or remove">
      {gate.may('partners:rename') ? (
        <form class="inline" method="post" action={to('rename')}>
          <TextField name="name" label={LABELS.newName} value={name} isRequired />
          <SubmitButton label={LABELS.button.renameAsk} />
        </form>
      ) : null}
      <div class="actions">
        {gate.may('partners:disable') ? <ActionButton action={to(act ?? '')} label={label ?? ''} /> : null}
        {gate.may('partners:remove') ? (
          <ActionButton action={to('remove')} label="Remove…" tone="danger" />
        ) : null}
      </div>
    </Section>
  );
}
