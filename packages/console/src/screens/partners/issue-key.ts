import type { PartnerId } from '@partner-hiring/core';
import { defineAct } from '../parts/define-act.js';
import { secretPage } from '../parts/secret-page.js';

/** Issues a key to the partner of the page, and shows its secrets once. */
export const issueKey = defineAct({
  back: (call) => call.at(`/partners/${encodeURIComponent(call.param('id'))}`),
  find: ({ param, form }) => ({
    partnerId: param('id') as PartnerId,
    environment: form.text('environment') === 'sandbox' ? ('sandbox' as const) : ('production' as const),
    endpointUrl: form.text('endpointUrl') ?? undefined,
  }),
  once: ({ environment }) => ({
    code: 'KEY_EXISTS',
    title: 'The key was issued already',
    text: `The partner has a ${environment} key, so nothing was done. Its secret was shown only once. If nobody saved it, rotate it on the page of the key.`,
  }),
  run: async (input, call) => {
    const back = call.at(`/partners/${encodeURIComponent(input.partnerId)}`);
    const { key, secret, endpoint } = await call.gate.call('keys.issue', input);
    return secretPage({
      title: 'Key issued',
      text: `The partner calls the API with the secret as its API key. Give it ${endpoint === null ? 'to the partner' : 'and the signing secret to the partner'} on a safe way, such as a password manager.`,
      secrets: [
        ['API key', secret],
        ...(endpoint === null ? [] : [['Signing secret of the webhooks', endpoint.signingSecret] as const]),
      ],
      crumbs: [
        { label: 'Partners and keys', href: call.at('/partners') },
        { label: 'Partner', href: back },
      ],
      next: { label: 'Open the key', href: call.link('keys', `/${key.id}`) ?? back },
    });
  },
});
