import type { Partner, PartnerContact } from '@partner-hiring/core';
import type { RunAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { ActionButton, SubmitButton, TextField } from '../../view/forms.js';
import { Section } from '../../view/parts.js';
import { change, defineAct, RefusedAct } from '../parts/define-act.js';
import { findPartner } from '../parts/find-by-path.js';
import type { Sections } from '../sections.js';

/** Sets the contact of the partner of the page. */
export const setContact: RunAction = defineAct<{
  readonly partner: Partner;
  readonly contact: PartnerContact;
}>({
  find: async (call) => {
    const partner = await findPartner(call);
    const name = call.form.text('contactName');
    const email = call.form.text('contactEmail');
    if (name === null || email === null) throw new RefusedAct('enter-contact');
    return { partner, contact: { name, email } };
  },
  run: change(
    'partners.update',
    ({ partner: { id }, contact }) => ({ id, contact }),
    'partner-contact-set',
    'partner-contact-before',
  ),
});

/** Clears the contact of the partner of the page. */
export const clearContact: RunAction = defineAct<Partner>({
  find: findPartner,
  ask: ({ name }) => ({
    title: 'Clear the contact of this partner?',
    text: 'Nobody at the partner gets messages anymore, such as that its endpoint fails. The name and the address are deleted.',
    facts: [[LABELS.one.partner, name]],
    confirm: 'Clear',
    isFinal: true,
  }),
  run: change(
    'partners.update',
    ({ id }) => ({ id, contact: null }),
    'partner-contact-cleared',
    'partner-contact-cleared-before',
  ),
});

/** The contact is personal data. */
export function contactFacts(
  { gate }: ScreenCall,
  { contact }: Partner,
): readonly (readonly [string, string])[] {
  if (!gate.may('candidates:read')) return [];
  return [['Contact', contact === null ? 'none: nobody gets messages' : `${contact.name}, ${contact.email}`]];
}

/** The form of the contact. Null for an actor who may not set it, and for a removed partner. */
export function ContactSection({ call, partner: { id, contact, removedAt } }: Sections['partner']) {
  const { gate } = call;
  if (!gate.isForAllPartners || removedAt !== null || !gate.may('partners:contact')) return null;
  return (
    <Section title="Contact">
      <form method="post" action={call.at(`/partners/${id}/contact`)}>
        <p>
          The person at the partner who gets messages: when its endpoint fails or is paused, when an event
          could not be delivered, before an old secret ends, and when somebody with its API key has changed
          its endpoint.
        </p>
        <div class="fields">
          <TextField
            name="contactName"
            label="Name of the contact"
            value={contact?.name ?? null}
            maxLength={200}
            isRequired
          />
          <TextField
            name="contactEmail"
            type="email"
            label="E-mail of the contact"
            value={contact?.email ?? null}
            maxLength={254}
            isRequired
          />
        </div>
        <p class="buttons">
          <SubmitButton label="Set the contact" />
        </p>
      </form>
      {contact === null ? null : (
        <div class="actions">
          <ActionButton action={call.at(`/partners/${id}/clear-contact`)} label="Clear the contact…" />
        </div>
      )}
    </Section>
  );
}
