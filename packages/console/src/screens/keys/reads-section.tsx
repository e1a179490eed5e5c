import type { KeyId } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { DataTable } from '../../view/data-table.js';
import { countText, Section, Time } from '../../view/parts.js';

/** The requests per minute that the API allows a key on each route. Spec: Limits. */
const LIMITS: Readonly<Record<string, number>> = {
  '/jobs': 60,
  '/applications': 60,
  '/applications/{id}': 120,
};

/** When a partner last read each list, and how much of its limit it used then. */
export async function ReadsSection({ call, keyId }: { readonly call: ScreenCall; readonly keyId: KeyId }) {
  const last = await call.gate.call('requests.lastReads', { keyId });
  return (
    <Section title="Reads and limits">
      <DataTable
        caption="The last minute with successful reads of each route"
        empty="This key has not read anything that is still in the log."
        rows={last}
        columns={[
          { header: 'Route', cell: ({ route }) => <code>{`GET ${route}`}</code> },
          { header: 'Last read', cell: ({ lastAt }) => <Time at={lastAt} /> },
          { header: 'Reads in that minute', isNumber: true, cell: ({ count }) => countText(count) },
          { header: 'Limit a minute', isNumber: true, cell: ({ route }) => countText(LIMITS[route] ?? 0) },
        ]}
      />
    </Section>
  );
}
