import type { PageContent } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { Code, MaybeLink, Note, Time } from '../../view/parts.js';
import type { PortalCall, PortalScreen } from '../portal-call.js';
import { endpointActs } from './endpoint-acts.js';
import { showOwnEndpoint } from './endpoint-page.js';
import { StateWords } from './endpoint-words.js';
import { environmentName } from './own-keys.js';

async function showOwnEndpoints(call: PortalCall): Promise<PageContent> {
  const keys = await call.own.keys();
  const rows = await Promise.all(
    keys.map(async ({ id, environment }) => ({ id, environment, endpoint: await call.own.endpoint(id) })),
  );
  const body = (
    <>
      <DataTable
        caption="Each key has one webhook endpoint: the URL of your system that gets our events"
        empty="You have no key yet, so there is no endpoint. Ask the support for a key."
        rows={rows}
        columns={[
          {
            header: LABELS.environment,
            cell: ({ id, environment }) => (
              <a href={call.at(`/endpoints/${id}`)}>{environmentName(environment)}</a>
            ),
          },
          {
            header: LABELS.endpoint.url,
            cell: ({ endpoint }) => (endpoint === null ? 'none yet' : <Code text={endpoint.url} />),
          },
          {
            header: LABELS.state,
            cell: ({ endpoint }) => (endpoint === null ? null : <StateWords shown={endpoint} />),
          },
          {
            header: LABELS.endpoint.lastSuccess,
            cell: ({ endpoint }) => <Time at={endpoint?.lastSuccessAt ?? null} />,
          },
        ]}
      />
      <Note>
        Events tell you when a job opens or closes, and when an application is accepted or rejected.{' '}
        <MaybeLink href={call.link('deliveries', '')}>See which events we sent</MaybeLink>
      </Note>
    </>
  );
  return { kind: 'page', title: LABELS.all.webhooks, body };
}

/** The partner's own webhook endpoints. */
export const portalEndpointsScreen: PortalScreen = {
  name: 'endpoints',
  label: LABELS.all.webhooks,
  path: '/endpoints',
  rights: ['endpoint'],
  pages: {
    '/endpoints': showOwnEndpoints,
    '/endpoints/:keyId': (call) => showOwnEndpoint(call),
  },
  actions: endpointActs,
};
