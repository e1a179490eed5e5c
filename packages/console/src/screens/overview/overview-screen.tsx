import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { DataTable } from '../../view/data-table.js';
import {
  countText,
  durationText,
  Figure,
  MaybeLink,
  Note,
  Section,
  StateBadge,
  Time,
} from '../../view/parts.js';
import { type OverviewFigures, readFigures } from './read-figures.js';

/** What needs attention now, with links to the causes. */
export const overviewScreen: Screen = {
  name: 'overview',
  label: 'Overview',
  path: '/',
  rights: [],
  pages: {
    '/': showOverview,
    '/live': async ({ gate }) => ({ kind: 'live', values: liveValues(await readFigures(gate)) }),
  },
};

async function showOverview(call: ScreenCall): Promise<PageContent> {
  const figures = await readFigures(call.gate);
  const { failing, counts, inbox } = figures;
  const body = (
    <div data-live-source={call.at('/live')}>
      <Section title="Now">
        <ul class="figures">{figureItems(call, figures)}</ul>
        {counts === null && inbox === null ? (
          <Note>Your rights do not include any of these figures. Use the navigation above.</Note>
        ) : null}
      </Section>
      {failing === null ? null : (
        <Section title="Failing endpoints">
          <FailingTable call={call} failing={failing} />
        </Section>
      )}
      <RefusedRequests call={call} />
    </div>
  );
  return { kind: 'page', title: 'Overview', body };
}

function figureItems(call: ScreenCall, figures: OverviewFigures) {
  const { counts, inbox, running } = figures;
  const values = liveValues(figures);
  const deliveries = (state: string) => call.link('deliveries', '', { state });
  return [
    ...(counts === null
      ? []
      : [
          <Figure label="Due now" value={values.due ?? ''} live="due" href={deliveries('pending')} />,
          <Figure
            label="Oldest due, waiting for"
            value={values.oldest ?? ''}
            live="oldest"
            tone={isLate(counts) ? 'warn' : 'calm'}
          />,
          <Figure
            label="Waiting for a retry"
            value={values.scheduled ?? ''}
            live="scheduled"
            href={deliveries('pending')}
          />,
          <Figure
            label="Held by a pause"
            value={values.paused ?? ''}
            live="paused"
            href={call.link('endpoints', '')}
            tone={counts.paused > 0 ? 'warn' : 'calm'}
          />,
          <Figure
            label="Dead letters"
            value={values.dead ?? ''}
            live="dead"
            href={deliveries('dead')}
            tone={counts.dead > 0 ? 'bad' : 'calm'}
          />,
        ]),
    ...(inbox === null
      ? []
      : [
          <Figure
            label={inbox.isOn ? 'Unread in the inbox' : 'Unread in the inbox (off)'}
            value={values.unread ?? ''}
            live="unread"
            href={call.link('system', '')}
          />,
          <Figure
            label="Parked in the inbox"
            value={values.parked ?? ''}
            live="parked"
            href={call.link('system', '')}
            tone={inbox.parked > 0 ? 'bad' : 'calm'}
          />,
        ]),
    ...(running === null
      ? []
      : [
          <Figure
            label="Running operations"
            value={values.running ?? ''}
            live="running"
            href={call.link('operations', '')}
          />,
        ]),
  ];
}

const LATE_MS = 60_000;

function isLate({ oldestDueMs }: NonNullable<OverviewFigures['counts']>): boolean {
  return oldestDueMs !== null && oldestDueMs > LATE_MS;
}

/** The texts that the script refreshes. */
function liveValues({ counts, inbox, running }: OverviewFigures): Readonly<Record<string, string>> {
  return {
    ...(counts === null
      ? {}
      : {
          due: countText(counts.due, counts.isExact),
          scheduled: countText(counts.scheduled, counts.isExact),
          paused: countText(counts.paused, counts.isExact),
          dead: countText(counts.dead, counts.isExact),
          oldest: durationText(counts.oldestDueMs),
        }),
    ...(inbox === null
      ? {}
      : { unread: countText(inbox.unread, inbox.isExact), parked: countText(inbox.parked) }),
    ...(running === null ? {} : { running: countText(running) }),
  };
}

function FailingTable({
  call,
  failing,
}: {
  readonly call: ScreenCall;
  readonly failing: NonNullable<OverviewFigures['failing']>;
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
        { header: 'State', cell: ({ state }) => <StateBadge state={state.kind} /> },
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

/** The last refused requests. For some partners, the screen of requests shows them by partner. */
async function RefusedRequests({ call }: { readonly call: ScreenCall }) {
  const { gate } = call;
  if (!gate.may('requests:read') || !gate.isForAllPartners) return null;
  const { requests } = await gate.call('requests.list', { onlyErrors: true, limit: MOST_REQUESTS });
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
