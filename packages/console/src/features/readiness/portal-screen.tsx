import { OperatorError, type OwnKey, type Readiness, type ReadinessRow } from '@partner-hiring/core';
import type { PageContent } from '../../http/screen.js';
import { definePortalAct, type PortalCall, type PortalScreen } from '../../portal/portal-call.js';
import { environmentName, findChosenKey } from '../../portal/screens/own-keys.js';
import { SupportLink } from '../../portal/screens/support-link.js';
import { RefusedAct } from '../../screens/parts/define-act.js';
import { ActionButton } from '../../view/forms.js';
import { countText, Note, Section, Time } from '../../view/parts.js';
import { lacksCompany, NoCompany } from './advice.js';
import { doneOf, outcomeOf, ReadinessTable, readinessNotices } from './section.js';

async function showGoLive(call: PortalCall): Promise<PageContent> {
  // The sandbox comes first, because everything is tried there.
  const keys = (await call.own.keys()).toReversed();
  const lists = await Promise.all(
    keys.map(async (own) => ({ own, readiness: await call.own.readiness(own.id) })),
  );
  const body = (
    <>
      {keys.length === 0 ? (
        <Note>You have no key yet. Ask the support for one.</Note>
      ) : (
        <p>
          Each item is done as soon as your system does it with a real request or event. Try them in the
          sandbox.
        </p>
      )}
      {lists.map(({ own, readiness }) => {
        if (readiness === null) return null;
        const Checklist = own.environment === 'sandbox' ? SandboxChecklist : ProductionProof;
        return <Checklist call={call} own={own} readiness={readiness} />;
      })}
    </>
  );
  return { kind: 'page', title: 'Go live', body };
}

interface OfKey {
  readonly call: PortalCall;
  readonly own: OwnKey;
  readonly readiness: Readiness;
}

async function SandboxChecklist({ call, own: { id, environment }, readiness: { items, probedAt } }: OfKey) {
  const open = items.filter(({ isDone }) => !isDone).length;
  const isBlocked = open > 0 && (await lacksCompany(call, id));
  return (
    <Section title={environmentName(environment)}>
      {isBlocked ? (
        <Note tone="warn">
          <NoCompany call={call} />
        </Note>
      ) : null}
      <Note tone={open === 0 ? 'good' : 'calm'}>
        {open === 0
          ? 'Everything is done.'
          : `${countText(open)} of ${countText(items.length)} items are open.`}
      </Note>
      <ReadinessTable call={call} items={items} caption={`${PROVED}: ${doneOf(items)}`} />
      <ActionButton action={call.at(`/go-live/${id}/probe`)} label="Probe my sandbox endpoint now" />
      <p class="hint">
        We send it a correct event, a forged one, an old one and a repeated one, and look at its answers. At
        most once a minute. Last probed: <Time at={probedAt} />
      </p>
    </Section>
  );
}

/** A key that works is asked for nothing more: invalid requests belong in the sandbox. */
function ProductionProof({ call, own: { environment }, readiness: { items } }: OfKey) {
  const isShown = ({ isDone, isFailed }: ReadinessRow) => isDone || isFailed;
  const shown = items.filter(isShown);
  const others = items.filter((row) => !isShown(row));
  return (
    <Section title={environmentName(environment)}>
      <p>Nothing more is required of this key. Send invalid requests and duplicates in the sandbox only.</p>
      {shown.length === 0 ? null : <ReadinessTable call={call} items={shown} caption={PROVED} />}
      {others.length === 0 ? null : (
        <details>
          <summary>{`${countText(others.length)} items that you try in the sandbox`}</summary>
          <ul>
            {others.map(({ title }) => (
              <li>{title}</li>
            ))}
          </ul>
          <p class="hint">
            To have your production endpoint probed, ask <SupportLink call={call} />.
          </p>
        </details>
      )}
    </Section>
  );
}

const PROVED = 'What your system has proved with requests and events';

const probe = definePortalAct<OwnKey>({
  back: (call) => call.at('/go-live'),
  find: (call) => findChosenKey(call),
  run: async ({ id }, call) => {
    try {
      const { results } = await call.own.probe(id);
      return outcomeOf(results);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  },
});

/** The errors that the partner itself can avoid. */
function refusalOf(error: unknown): RefusedAct | null {
  if (!(error instanceof OperatorError)) return null;
  const { refused } = readinessNotices;
  if (error.code === 'ENDPOINT_NOT_FOUND') return new RefusedAct(refused('own-no-endpoint'));
  return error.code === 'PROBED_RECENTLY' ? new RefusedAct(refused('own-probed-recently')) : null;
}

/** The partner's checklist: the items that its own traffic has proved, and those that are open. */
export const portalGoLiveScreen: PortalScreen = {
  name: 'go-live',
  label: 'Go live',
  path: '/go-live',
  rights: ['goLive'],
  pages: { '/go-live': showGoLive },
  actions: { '/go-live/:keyId/probe': probe },
};
