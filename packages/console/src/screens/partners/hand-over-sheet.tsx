import type { IssuedKey, OnboardedPartner } from '@partner-hiring/core';
import type { PageContent, ScreenAction } from '../../http/screen.js';
import { Secret } from '../../view/ids.js';
import { FactList, Note } from '../../view/parts.js';

/** Returns the page with everything that a new partner needs. Its secrets are shown only here. */
export function handOverSheet(
  call: ScreenAction,
  { partner, production, sandbox, access }: OnboardedPartner,
): PageContent {
  const { docs, support } = call.handOver;
  const back = call.at(`/partners/${encodeURIComponent(partner.id)}`);
  const hasEndpoint = [production, sandbox].some((issued) => (issued?.endpoint ?? null) !== null);
  const body = (
    <>
      <Note tone="warn">
        Save or print this now. It is not shown again, also not by a reload of this page.
      </Note>
      <section class="card hand-over">
        <h2>{`For ${partner.name}`}</h2>
        <FactList
          facts={[
            ['Documentation', docs === null ? 'Ask the platform for the address' : <a href={docs}>{docs}</a>],
            ['Support', support ?? 'The person who sent you this sheet'],
            ['Companies', access.length === 0 ? 'None yet' : `${access.length}, from the first request on`],
          ]}
        />
        <KeyPart title="Sandbox: try everything here first" issued={sandbox} />
        <KeyPart title="Production: real jobs and candidates" issued={production} />
        <h3>What to do next</h3>
        <ol>
          <li>Store the API keys and webhook secrets in your secret manager. Never send them by e-mail.</li>
          <li>
            Call <code>GET /jobs</code> with the header <code>Authorization: Bearer</code> and the API key.
          </li>
          {hasEndpoint ? (
            <li>Verify the signature of every webhook with the webhook secret, and answer with 200.</li>
          ) : (
            <li>Tell us the address of your webhook endpoint, so that you hear about decisions.</li>
          )}
          <li>Submit a candidate in the sandbox, then ask us to look at it with you.</li>
        </ol>
      </section>
      <p class="buttons">
        <button type="button" class="secondary" data-print hidden>
          Print
        </button>
        <a href={back}>Open the partner</a>
      </p>
    </>
  );
  return {
    kind: 'page',
    title: `Hand-over sheet of ${partner.name}`,
    crumbs: [{ label: 'Partners and keys', href: call.at('/partners') }],
    body,
  };
}

function KeyPart({ title, issued }: { readonly title: string; readonly issued: IssuedKey | null }) {
  if (issued === null) return null;
  const { secret, endpoint } = issued;
  const webhooks =
    endpoint === null
      ? []
      : ([
          ['Webhooks go to', endpoint.url],
          ['Webhook secret', <Secret value={endpoint.signingSecret} />],
        ] as const);
  return (
    <>
      <h3>{title}</h3>
      <FactList facts={[['API key', <Secret value={secret} />], ...webhooks]} />
    </>
  );
}
