import type { PartnerId } from '@partner-hiring/core';
import type { PageContent, Redirection, ScreenAction } from '../../http/screen.js';
import { explainRefusal } from '../parts/after-act.js';
import { onlyOnce } from '../parts/only-once.js';
import { secretPage } from '../parts/secret-page.js';

/** Issues a key to the partner of the page, and shows its secrets once. */
export async function issueKey(call: ScreenAction): Promise<PageContent | Redirection> {
  const partnerId = call.param('id') as PartnerId;
  const back = call.at(`/partners/${encodeURIComponent(partnerId)}`);
  const environment = call.form.text('environment') === 'sandbox' ? 'sandbox' : 'production';
  const endpointUrl = call.form.text('endpointUrl');
  const issuedAlready = {
    code: 'KEY_EXISTS',
    title: 'The key was issued already',
    text: `The partner has a ${environment} key, so nothing was done. Its secret was shown only once. If nobody saved it, rotate it on the page of the key.`,
    back,
  } as const;
  const issue = () =>
    onlyOnce(issuedAlready, async () => {
      const { key, secret, endpoint } = await call.gate.call('keys.issue', {
        ...{ partnerId, environment },
        endpointUrl: endpointUrl ?? undefined,
      });
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
    });
  return explainRefusal(back, issue);
}
