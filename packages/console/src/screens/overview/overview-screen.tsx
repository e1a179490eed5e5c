import { HeldSyncAlert, readSync, SyncCard } from '../../features/jobs-sync/section.js';
import { syncTroubles } from '../../features/jobs-sync/texts.js';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { Figures, MaybeLink, Note, Section, Time } from '../../view/parts.js';
import { failingColumns } from '../endpoints/failing-columns.js';
import { AnswerBadge } from '../parts/badges.js';
import { DaySection } from './day-section.js';
import { headlineOf } from './headline.js';
import { countPartners, listFailing, readFigures, readFiguresAndHours } from './read-figures.js';
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
      const { gate } = call;
      const [figures, failing, sync] = await Promise.all([
        readFigures(gate),
        listFailing(gate),
        readSync(gate),
      ]);
      const headline = headlineOf(figures, await countPartners(gate, failing), syncTroubles(sync));
      const shown = shownFigures(call, figures).map(({ live, value }) => [live, value] as const);
      const values =
        headline === null
          ? []
          : ([
              ['headline', headline.text],
              ['tone', headline.tone],
            ] as const);
      return { kind: 'live', values: Object.fromEntries([...shown, ...values]) };
    },
  },
};

async function showOverview(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const [{ figures, hours }, failing, sync] = await Promise.all([
    readFiguresAndHours(gate),
    listFailing(gate),
    readSync(gate),
  ]);
  const troubles = syncTroubles(sync);
  const headline = headlineOf(figures, await countPartners(gate, failing), troubles);
  const shown = shownFigures(call, figures);
  const body = (
    <div data-live-source={call.at('/live')}>
      {headline === null ? null : (
        <section class={`card news ${headline.tone}`} data-live-tone="tone" aria-label="Is anything wrong?">
          <p class="lead" data-live="headline">
            {headline.text}
          </p>
        </section>
      )}
      {sync?.isHeld === true ? <HeldSyncAlert call={call} last={sync} /> : null}
      {sync?.isHeld === false && troubles.length > 0 ? <SyncCard call={call} /> : null}
      <Section title="Now">
        {shown.length === 0 ? (
          <Note>Your rights do not include any of these figures. Use the navigation above.</Note>
        ) : (
          <Figures figures={shown} />
        )}
      </Section>
      {failing === null || failing.rows.length === 0 ? null : (
        <Section title={LABELS.all.failingEndpoints}>
          <DataTable
            caption="Endpoints that fail, the longest first"
            empty=""
            rows={failing.rows}
            columns={failingColumns(call)}
          />
          {failing.isComplete ? null : (
            <MaybeLink href={call.link('endpoints', '')}>All failing endpoints</MaybeLink>
          )}
        </Section>
      )}
      {hours === null ? null : <DaySection call={call} hours={hours} />}
      <RefusedRequests call={call} />
    </div>
  );
  return { kind: 'page', title: 'Overview', body };
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
            header: LABELS.time,
            cell: ({ at, requestId }) => (
              <MaybeLink href={call.link('requests', `/${requestId}`)}>
                <Time at={at} />
              </MaybeLink>
            ),
          },
          { header: LABELS.one.key, cell: ({ keyLabel }) => keyLabel ?? 'without a valid key' },
          {
            header: LABELS.one.request,
            cell: ({ method, route }) => <code>{`${method} ${route ?? 'unknown path'}`}</code>,
          },
          { header: LABELS.answer, cell: ({ status, code }) => <AnswerBadge status={status} code={code} /> },
        ]}
      />
    </Section>
  );
}
