import type { CreatedPartner, Environment, IssuedKey } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import { type PageContent, pageBelow, type ScreenAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { Secret } from '../../view/ids.js';
import { FactList, MaybeLink, Note, someOf, Time } from '../../view/parts.js';
import { listSeen } from '../keys/companies-to-grant.js';

/**
 * Returns the page with everything that a new partner needs, or the new secrets of a partner. They are shown only here.
 * @param oldSecretsExpireAt - when the secrets that these replace stop working.
 */
export async function handOverSheet(
  call: ScreenAction,
  partner: Pick<CreatedPartner, 'id' | 'name'> & { readonly keys: readonly IssuedKey[] },
  oldSecretsExpireAt?: number,
): Promise<PageContent> {
  const keyOf = (environment: Environment) =>
    partner.keys.find(({ key }) => key.environment === environment) ?? null;
  const production = keyOf('production');
  const sandbox = keyOf('sandbox');
  const { api, docs, support } = call.handOver;
  const seen = {
    production: await companiesOf(call.gate, production),
    sandbox: await companiesOf(call.gate, sandbox),
  };
  const missing = [
    api === undefined ? 'the base URL of the API' : null,
    docs === undefined ? 'the address of the documentation' : null,
    support === undefined ? 'whom to ask' : null,
  ].filter((one) => one !== null);
  const back = call.at(`/partners/${encodeURIComponent(partner.id)}`);
  const hasEndpoint = partner.keys.some(({ endpoint }) => endpoint !== null);
  const body = (
    <>
      <Note tone="warn">
        Copy the secrets or print this page now, also into a file. It is not shown again, even if you reload
        this page. Give it to the partner with a password manager or in person, not by e-mail or chat.
      </Note>
      <NoCompanies call={call} title="sandbox" issued={sandbox} companies={seen.sandbox} />
      <NoCompanies call={call} title="production" issued={production} companies={seen.production} />
      {missing.length === 0 ? null : (
        <Note>
          {`This sheet does not say ${missing.join(', ')}: tell the partner. Those who run the server can set it, with the option `}
          <code>handOver</code> of <code>createConsole</code>.
        </Note>
      )}
      <section class="card hand-over">
        <h2>{`For ${partner.name}`}</h2>
        <FactList
          facts={[
            api === undefined ? null : [LABELS.partner.baseUrl, <code>{api}</code>],
            docs === undefined ? null : [LABELS.all.documentation, <a href={docs}>{docs}</a>],
            [LABELS.partner.support, support ?? 'The person who gave you this sheet'],
          ]}
        />
        <KeyPart title="Sandbox: try everything here first" issued={sandbox} companies={seen.sandbox} />
        <KeyPart
          title="Production: real jobs and candidates"
          issued={production}
          companies={seen.production}
        />
        <h3>What to do next</h3>
        <ol>
          {oldSecretsExpireAt === undefined ? null : (
            <li>
              Replace the old secrets with these. The old ones work until <Time at={oldSecretsExpireAt} />.
            </li>
          )}
          <li>Store the API keys and signing secrets in your secret manager. Never send them by e-mail.</li>
          <li>
            Call <code>GET /jobs</code> with the header <code>Authorization: Bearer</code> and the API key.
          </li>
          {hasEndpoint ? (
            <li>Verify the signature of every webhook with the signing secret, and answer with 200.</li>
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
  return pageBelow(
    { label: LABELS.all.partnersAndKeys, href: call.at('/partners') },
    `Hand-over sheet of ${partner.name}`,
    body,
  );
}

/** The names of the companies that a new key sees. Null without a key, and for an actor who may not read them. */
async function companiesOf(gate: Gate, issued: IssuedKey | null): Promise<readonly string[] | null> {
  if (issued === null || !gate.may('access:read')) return null;
  return (await listSeen(gate, issued.key.id, 1)).map(({ companyName }) => companyName);
}

interface KeyPartProps {
  readonly title: string;
  readonly issued: IssuedKey | null;
  readonly companies: readonly string[] | null;
}

/** Tells the operator that a key sees no job, and where to change it. */
function NoCompanies({ call, title, issued, companies }: KeyPartProps & { readonly call: ScreenAction }) {
  if (issued === null || companies === null || companies.length > 0) return null;
  return (
    <Note tone="warn">
      {`The ${title} key sees no job yet, because it has no access to a company. `}
      <MaybeLink href={call.link('keys', `/${issued.key.id}`)}>{`Grant the ${title} key access`}</MaybeLink>
    </Note>
  );
}

function KeyPart({ title, issued, companies }: KeyPartProps) {
  if (issued === null) return null;
  const { secret, endpoint } = issued;
  const none = 'none yet, so this key sees no job';
  return (
    <>
      <h3>{title}</h3>
      <FactList
        facts={[
          [LABELS.key.apiKey, <Secret value={secret} />],
          companies && [LABELS.all.companies, companies.length === 0 ? none : someOf(companies)],
          endpoint && ['Webhooks go to', endpoint.url],
          endpoint && [LABELS.endpoint.signingSecret, <Secret value={endpoint.signingSecret} />],
        ]}
      />
    </>
  );
}
