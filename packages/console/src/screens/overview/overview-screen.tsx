import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { DataTable } from '../../view/data-table.js';
import { countText, Figure, MaybeLink, Note, Section, Time } from '../../view/parts.js';
import { EndpointBadge } from '../parts/endpoint-badge.js';
import { DaySection } from './day-section.js';
import { type FailingRow, listFailing, readFigures, readFiguresAndHours } from './read-figures.js';
import { shownFigures } from './shown-figures.js';

/** What needs attention now, with links to the causes. */
export const overviewScreen: Screen = {
  name: 'overview',
  label: 'Overview',
  path: '/',
  rights: [],
  pages: {
    '/': showOverview,
    '/live': async (call) => {
      const shown = shownFigures(call, await readFigures(call.gate));
      return { kind: 'live', values: Object.fromEntries(shown.map(({ name, value }) => [name, value])) };
    },
  },
};

async function showOverview(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const [{ figures, hours }, failing] = await Promise.all([readFiguresAndHours(gate), listFailing(gate)]);
  const shown = shownFigures(call, figures);
  const body = (
    <div data-live-source={call.at('/live')}>
      <Section title="Now">
        {shown.length === 0 ? (
          <Note>Your rights do not include any of these figures. Use the navigation above.</Note>
        ) : (
          <ul class="figures">
            {shown.map(({ name, ...figure }) => (
              <Figure {...figure} live={name} />
            ))}
          </ul>
        )}
      </Section>
      {failing === null ? null : (
        <Section title="Failing endpoints">
          <FailingTable call={call} failing={failing} />
        </Section>
      )}
      {hours === null ? null : <DaySection call={call} hours={hours} />}
      <RefusedRequests call={call} />
    </div>
  );
  return { kind: 'page', title: 'Overview', body };
}

function FailingTable({
  call,
  failing,
}: {
  readonly call: ScreenCall;
  readonly failing: readonly FailingRow[];
}) {
  return (
    <DataTable
      caption="Endpoints that fail, the longest first"
      empty="No endpoint is failing."
      rows={failing}
      columns={[
        {
          header: 'Partner',
          cell: ({ keyId, partnerName, environment }) => (
            <MaybeLink
              href={call.link('endpoints', `/${keyId}`)}
            >{`${partnerName} (${environment})`}</MaybeLink>
          ),
        },
        { header: 'State', cell: ({ state }) => <EndpointBadge state={state} isFailing /> },
        { header: 'Failing since', cell: ({ failingSince }) => <Time at={failingSince} /> },
        { header: 'Failed attempts', isNumber: true, cell: ({ attempts }) => countText(attempts) },
        {
          header: 'Events waiting',
          isNumber: true,
          cell: ({ waiting, isExact }) => countText(waiting, isExact),
        },
      ]}
    />
  );
}

const MOST_REQUESTS = 10;

/** The last refused requests. An actor for some partners sees them on the screen of requests, one partner at a time. */
async function RefusedRequests({ call }: { readonly call: ScreenCall }) {
  const { gate } = call;
  if (!gate.may('requests:read') || !gate.isForAllPartners) return null;
  const { items: requests } = await gate.call('requests.list', { onlyErrors: true, limit: MOST_REQUESTS });
  return (
    <Section title="Last refused requests">
      <DataTable
        caption="The newest requests that got an error"
        empty="The request log has no error."
        rows={requests}
        columns={[
          {
            header: 'Time',
            cell: ({ at, requestId }) => (
              <MaybeLink href={call.link('requests', `/${requestId}`)}>
                <Time at={at} />
              </MaybeLink>
            ),
          },
          { header: 'Key', cell: ({ keyLabel }) => keyLabel ?? 'without a valid key' },
          { header: 'Request', cell: ({ method, route }) => `${method} ${route ?? 'unknown path'}` },
          { header: 'Answer', cell: ({ status, code }) => `${status} ${code ?? ''}` },
        ]}
      />
    </Section>
  );
}
