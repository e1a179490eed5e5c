import type { OwnKey, Page, SeenCompany } from '@partner-hiring/core';
import type { PageContent } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { countText, MaybeLink, Section, Time } from '../../view/parts.js';
import type { Advice, PortalCall, PortalScreen } from '../portal-call.js';
import { adviceFor } from './advice.js';
import { StateWords } from './endpoint-words.js';
import { environmentName } from './own-keys.js';

async function showHome(call: PortalCall): Promise<PageContent> {
  const keys = await call.own.keys();
  const [first, ...others] = await adviceFor(call, keys);
  const body = (
    <>
      <Headline advice={first ?? null} />
      {others.length === 0 ? null : (
        <Section title="Also">
          <ul class="advice">
            {others.map(({ text, link }) => (
              <li>
                {text} <MaybeLink href={link.href}>{link.label}</MaybeLink>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {keys.length === 0 ? null : <KeysSection call={call} keys={keys} />}
    </>
  );
  const { name } = await call.own.partner();
  return { kind: 'page', title: name, body };
}

/** One sentence: all is well, or what to do first. */
function Headline({ advice }: { readonly advice: Advice | null }) {
  if (advice === null) {
    return (
      <section class="card news good" aria-label="Is anything wrong?">
        <p class="lead">All is well: nothing was refused in the last 24 hours, and your events arrive.</p>
      </section>
    );
  }
  const { tone, text, link } = advice;
  return (
    <section class={`card news ${tone}`} aria-label="Is anything wrong?">
      <p class="lead">{text}</p>
      {link.href === null ? null : (
        <p>
          <a href={link.href}>{link.label}</a>
        </p>
      )}
    </section>
  );
}

interface Row {
  readonly own: OwnKey;
  readonly endpoint: Awaited<ReturnType<PortalCall['own']['endpoint']>>;
  readonly companies: Awaited<ReturnType<PortalCall['own']['companies']>>;
}

async function KeysSection({ call, keys }: { readonly call: PortalCall; readonly keys: readonly OwnKey[] }) {
  const mayEndpoint = call.may('endpoint');
  const mayKeys = call.may('keys');
  const rows: readonly Row[] = await Promise.all(
    keys.map(async (own) => ({
      own,
      endpoint: mayEndpoint ? await call.own.endpoint(own.id) : null,
      companies: mayKeys ? await call.own.companies(own.id) : null,
    })),
  );
  return (
    <Section title="Your keys">
      <DataTable
        caption="Sandbox is for tests. Production has real jobs and candidates"
        empty=""
        rows={rows}
        columns={[
          {
            header: LABELS.environment,
            cell: ({ own: { id, environment } }) => (
              <MaybeLink href={call.link('keys', `/${id}`)}>{environmentName(environment)}</MaybeLink>
            ),
          },
          {
            header: LABELS.all.webhooks,
            cell: ({ own: { id }, endpoint }) => (
              <MaybeLink href={call.link('endpoints', `/${id}`)}>
                {endpoint === null ? 'none yet' : <StateWords shown={endpoint} />}
              </MaybeLink>
            ),
          },
          {
            header: 'Last event accepted',
            cell: ({ endpoint }) => <Time at={endpoint?.lastSuccessAt ?? null} />,
          },
          {
            header: 'Companies whose jobs you see',
            cell: ({ own: { id }, companies }) =>
              companies === null ? null : (
                <MaybeLink href={call.link('keys', `/${id}`)}>{companiesText(companies)}</MaybeLink>
              ),
          },
        ]}
      />
    </Section>
  );
}

const MOST_NAMED = 3;

/** Names the first companies, and says how many more there are. */
function companiesText({ items, nextCursor }: Page<SeenCompany>): string {
  if (items.length === 0) return 'none yet';
  const names = items.slice(0, MOST_NAMED).map(({ companyName }) => companyName);
  const more = items.length - names.length;
  return `${names.join(', ')}${more === 0 ? '' : ` and ${countText(more, nextCursor === null)} more`}`;
}

/** Says in one sentence whether all is well, or what to do. */
export const portalHomeScreen: PortalScreen = {
  name: 'home',
  label: 'Home',
  path: '/',
  rights: [],
  pages: { '/': showHome },
};
