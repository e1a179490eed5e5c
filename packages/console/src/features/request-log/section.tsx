import { LABELS } from '../../labels.js';
import { AnswerBadge } from '../../screens/parts/badges.js';
import type { Sections, ShowSection } from '../../screens/sections.js';
import { DataTable } from '../../view/data-table.js';
import { Code, countText, MaybeLink, Note, Section, Time } from '../../view/parts.js';

/** The requests per minute that the API allows a key on each route. Contract: 8.2 to 8.4. */
const LIMITS: Readonly<Record<string, number>> = {
  '/jobs': 60,
  '/applications': 60,
  '/applications/{id}': 120,
  '/events': 60,
};

/** When a partner last read each list, and how much of its limit it used then. */
export const readsOfKey: ShowSection<'key'> = async ({ call: { gate }, keyId }) => {
  if (!gate.may('requests:read')) return {};
  const last = await gate.call('requests.listReads', { keyId, onlyLast: true });
  const end = (
    <Section title="Reads and limits">
      <DataTable
        caption="The last minute with successful reads of each route"
        empty="This key has not read anything that is still in the log."
        rows={last.items}
        columns={[
          { header: 'Route', cell: ({ route }) => <Code text={`GET ${route}`} /> },
          { header: 'Last read', cell: ({ lastAt }) => <Time at={lastAt} /> },
          { header: 'Reads in that minute', isNumber: true, cell: ({ count }) => countText(count) },
          { header: 'Limit a minute', isNumber: true, cell: ({ route }) => countText(LIMITS[route] ?? 0) },
        ]}
      />
    </Section>
  );
  return { end };
};

const MOST_REQUESTS = 10;

const DAY_MS = 86_400_000;
const MOST_COUNTED = 100;

/** For somebody who looks for an application that there is not: it may have been refused. */
export async function RefusedNote({ call }: Sections['overview']) {
  const { gate } = call;
  if (!gate.may('requests:read') || !gate.isForAllPartners) return null;
  const since = new Date(Date.now() - DAY_MS).toISOString().slice(0, 16);
  const filter = { onlyErrors: true, since: Date.parse(`${since}Z`), limit: MOST_COUNTED };
  const { items, nextCursor } = await gate.call('requests.list', filter);
  const count = items.reduce((sum, request) => sum + request.count, 0);
  if (count === 0) return <Note>No request was refused in the last 24 hours.</Note>;
  const were = count === 1 ? 'request was' : 'requests were';
  return (
    <Note>
      {'An application that is not found may have been refused. '}
      <MaybeLink href={call.link('requests', '', { errors: 'yes', since })}>
        {`${countText(count, nextCursor === null)} ${were} refused in the last 24 hours`}
      </MaybeLink>
    </Note>
  );
}

/** The last refused requests. */
export const refusedRequests: ShowSection<'overview'> = (page) => ({ end: <RefusedRequests {...page} /> });

/** The last refused requests. An actor for some partners sees them on the screen of requests, one partner at a time. */
async function RefusedRequests({ call }: Sections['overview']) {
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
            cell: ({ method, route }) => <Code text={`${method} ${route ?? 'unknown path'}`} />,
          },
          { header: LABELS.answer, cell: ({ status, code }) => <AnswerBadge status={status} code={code} /> },
        ]}
      />
    </Section>
  );
}
