import { sectionsOf } from '../../features/features.js';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { Figures } from '../../view/figures.js';
import { MaybeLink, Note, Section } from '../../view/parts.js';
import { failingColumns } from '../endpoints/failing-columns.js';
import { DaySection } from './day-section.js';
import { headlineOf } from './headline.js';
import { countPartners, listFailing, readFigures } from './read-figures.js';
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
      const { headline, shown } = await readOverview(call, {});
      const figures = Object.fromEntries(shown.map(({ live, value }) => [live, value]));
      return { kind: 'live', values: { ...figures, headline: headline?.text, tone: headline?.tone } };
    },
  },
};

/** The last 24 full hours, and the one that is not over. */
const FULL_DAY = 25;

/** Reads what the page shows, and what its script refreshes. */
async function readOverview(call: ScreenCall, options: { readonly hours?: number }) {
  const { gate } = call;
  const [{ figures, hours }, failing, sections] = await Promise.all([
    readFigures(gate, options),
    listFailing(gate),
    sectionsOf('overview', { call }),
  ]);
  const troubles = sections.flatMap((section) => section.troubles ?? []);
  const headline = headlineOf(figures, await countPartners(gate, failing), troubles);
  return { hours, failing, sections, headline, shown: shownFigures(call, figures) };
}

async function showOverview(call: ScreenCall): Promise<PageContent> {
  const { hours, failing, sections, headline, shown } = await readOverview(call, { hours: FULL_DAY });
  const body = (
    <div data-live-source={call.at('/live')}>
      {headline === null ? null : (
        <section class={`card news ${headline.tone}`} data-live-tone="tone" aria-label="Is anything wrong?">
          <p class="lead" data-live="headline">
            {headline.text}
          </p>
        </section>
      )}
      {sections.map(({ top }) => top)}
      <Section title="Now">
        {shown.length === 0 ? (
          <Note>Your rights do not include any of these figures. Use the navigation above.</Note>
        ) : (
          <Figures figures={shown} />
        )}
      </Section>
      {failing === null || failing.items.length === 0 ? null : (
        <Section title={LABELS.all.failingEndpoints}>
          <DataTable
            caption="Endpoints that fail, the longest first"
            empty=""
            rows={failing.items}
            columns={failingColumns(call)}
          />
          {failing.nextCursor === null ? null : (
            <MaybeLink href={call.link('queues', '/failing')}>All failing endpoints</MaybeLink>
          )}
        </Section>
      )}
      {hours === null ? null : <DaySection call={call} hours={hours} />}
      {sections.map(({ end }) => end)}
    </div>
  );
  return { kind: 'page', title: 'Overview', body };
}
