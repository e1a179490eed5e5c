import type { KeyView, ReadinessEvidence, ReadinessRow } from '@partner-hiring/core';
import { defineNotices } from '../../http/notices.js';
import type { PageCall, RunAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { type Done, defineAct } from '../../screens/parts/define-act.js';
import { findKeyOfPath } from '../../screens/parts/find-by-path.js';
import { NamedLink } from '../../screens/parts/names.js';
import type { ShowSection } from '../../screens/sections.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { countText, Section, StateBadge, Time } from '../../view/parts.js';
import { Prose } from '../../view/prose.js';

/** The sentences that follow a probe. */
export const readinessNotices = defineNotices({
  done: {
    'probes-passed': 'The endpoint passed all probes.',
  },
  refused: {
    'own-no-endpoint': 'Nothing was sent: this key has no webhook endpoint yet. Add its URL first.',
    'own-probed-recently': 'Nothing was sent: a minute must pass between two probes. Try again then.',
    'probes-failed': (count) =>
      `${countText(count)} ${count === 1 ? 'probe' : 'probes'} failed. The checklist says what to fix.`,
  },
});

/** The go-live checklist of a key: what it has proved, and how to get the rest. */
export const readinessOfKey: ShowSection<'key'> = async ({ call, keyId }) => {
  const { items, probedAt } = await call.gate.call('keys.readiness', { id: keyId });
  const middle = (
    <Section title="Go-live">
      <ReadinessTable
        call={call}
        items={items}
        caption={`What the key has proved with requests and events: ${doneOf(items)}`}
      />
      <p class="hint">
        Last probed: <Time at={probedAt} />
      </p>
      {call.gate.may('keys:probe') ? (
        <ActionButton action={call.at(`/keys/${keyId}/probe`)} label="Probe the endpoint" />
      ) : null}
    </Section>
  );
  return { middle };
};

/** Probes the endpoint of a key. */
export const probeKey: RunAction = defineAct<KeyView>({
  find: findKeyOfPath,
  run: async ({ key }, { gate }) => {
    const { results } = await gate.call('keys.probe', { id: key.id });
    return outcomeOf(results);
  },
});

/** Says how many probes failed. */
export function outcomeOf(results: readonly { readonly isPassed: boolean }[]): Done {
  const failed = results.filter(({ isPassed }) => !isPassed).length;
  const { done, refused } = readinessNotices;
  return failed === 0 ? done('probes-passed') : [refused('probes-failed'), failed];
}

interface ReadinessTableProps {
  readonly call: PageCall;
  readonly items: readonly ReadinessRow[];
  readonly caption: string;
}

/** The items of the checklist, each with its proof or how to get it. */
export function ReadinessTable({ call, items, caption }: ReadinessTableProps) {
  return (
    <DataTable
      caption={caption}
      empty=""
      rows={items}
      columns={[
        { header: 'Item', cell: ({ title }) => title },
        { header: LABELS.state, cell: (row) => <ItemBadge row={row} /> },
        { header: 'Proof, or how to get it', isWide: true, cell: (row) => <Proof call={call} row={row} /> },
      ]}
    />
  );
}

/** Returns how many items are done, such as `3 of 12`. */
export function doneOf(items: readonly ReadinessRow[]): string {
  return `${countText(items.filter(({ isDone }) => isDone).length)} of ${countText(items.length)}`;
}

function ItemBadge({ row: { isDone, isFailed, isRequired } }: { readonly row: ReadinessRow }) {
  if (isDone) return <StateBadge state="done" />;
  if (isFailed) return <StateBadge state="failed" />;
  return <StateBadge state={isRequired ? 'required' : 'open'} tone={isRequired ? 'bad' : 'calm'} />;
}

function Proof({ call, row }: { readonly call: PageCall; readonly row: ReadinessRow }) {
  const { evidence, reason, how } = row;
  if (evidence === null) return <Prose text={`${reason} ${how}`} />;
  const { kind, firstAt, firstId, lastAt, lastId } = evidence;
  const first = (
    <>
      <Time at={firstAt} /> <EvidenceId call={call} kind={kind} id={firstId} />
    </>
  );
  if (firstId === lastId) return first;
  return (
    <>
      First {first}
      <br />
      Last <Time at={lastAt} /> <EvidenceId call={call} kind={kind} id={lastId} />
    </>
  );
}

interface EvidenceIdProps {
  readonly call: PageCall;
  readonly kind: ReadinessEvidence['kind'];
  readonly id: string;
}

/** A request leads to its page, as long as the request log has it. */
function EvidenceId({ call, kind, id }: EvidenceIdProps) {
  if (kind === 'event') return <Id value={id} />;
  return <NamedLink href={call.link('requests', `/${id}`)} name="a request" id={id} />;
}
