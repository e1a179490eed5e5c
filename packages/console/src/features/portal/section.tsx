import { type Partner, PORTAL_PRESET } from '@partner-hiring/core';
import type { RunAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { defineAct, pageOfAct } from '../../screens/parts/define-act.js';
import { findPartner } from '../../screens/parts/find-by-path.js';
import { secretPage } from '../../screens/parts/secret-page.js';
import type { ShowSection } from '../../screens/sections.js';
import { ActionButton } from '../../view/forms.js';
import { Section, Time } from '../../view/parts.js';

/** Makes a link that signs the partner in to its portal, and shows it once. */
export const makePortalLink: RunAction = defineAct<Partner>({
  find: findPartner,
  run: async ({ id: partnerId, name }, call) => {
    const { gate } = call;
    // A person hands out only what it may do itself.
    const rights = PORTAL_PRESET.filter((right) =>
      gate.mayCall('portal.createLink', { partnerId, rights: [right] }),
    );
    const { link, expiresAt } = await gate.call('portal.createLink', { partnerId, rights });
    return secretPage({
      title: 'A link to the portal',
      text: 'Give this link only to the partner. It works once: whoever opens it first is signed in.',
      facts: [
        [LABELS.one.partner, name],
        ['Stops working', <Time at={expiresAt} />],
        ...(rights.length < PORTAL_PRESET.length ? [['Only these rights', rights.join(', ')] as const] : []),
      ],
      secrets: [['Link', link]],
      crumbs: [{ label: name, href: pageOfAct(call) }],
      next: { label: 'Back to the partner', href: pageOfAct(call) },
    });
  },
});

/** The button. Nothing for an actor who may not make links, and for a partner that is disabled or removed. */
export const portalLinkOfPartner: ShowSection<'partner'> = ({
  call: { gate, at },
  partner: { id, disabledAt },
}) => {
  if (disabledAt !== null || !gate.may('portal:link')) return {};
  const middle = (
    <Section title="Portal of the partner">
      <p class="hint">
        The link works once, for 15 minutes. The page after it shows the partner only its own data.
      </p>
      <div class="actions">
        <ActionButton action={at(`/partners/${id}/portal-link`)} label="Make a link" />
      </div>
    </Section>
  );
  return { middle };
};
