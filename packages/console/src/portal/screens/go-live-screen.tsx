import { OperatorError, type OwnKey, type Readiness } from '@partner-hiring/core';
import type { PageContent } from '../../http/screen.js';
import { ReadinessTable } from '../../screens/keys/readiness-section.js';
import { RefusedAct } from '../../screens/parts/define-act.js';
import { ActionButton } from '../../view/forms.js';
import { countText, Note, Section } from '../../view/parts.js';
import { definePortalAct, type PortalCall, type PortalScreen } from '../portal-call.js';
import { environmentName, findOwnKey } from './own-keys.js';

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
          sandbox first.
        </p>
      )}
      {lists.map(({ own, readiness }) =>
        readiness === null ? null : <Checklist call={call} own={own} readiness={readiness} />,
      )}
    </>
  );
  return { kind: 'page', title: 'Go live', body };
}

function Checklist({
  call,
  own: { id, environment },
  readiness,
}: {
  readonly call: PortalCall;
  readonly own: OwnKey;
  readonly readiness: Readiness;
}) {
  const open = readiness.items.filter(({ isDone }) => !isDone).length;
  return (
    <Section title={environmentName(environment)}>
      <Note tone={open === 0 ? 'good' : 'calm'}>
        {open === 0
          ? 'Everything is done.'
          : `${countText(open)} of ${countText(readiness.items.length)} items are open.`}
      </Note>
      <ReadinessTable call={call} readiness={readiness} of="your system" />
      {environment === 'sandbox' ? (
        <>
          <ActionButton
            action={call.at(`/go-live/${id}/probe`)}
            label="Probe my sandbox endpoint now"
            tone="secondary"
          />
          <p class="hint">
            We send it a correct event, a forged one, an old one and a repeated one, and look at its answers.
            At most once a minute.
          </p>
        </>
      ) : null}
    </Section>
  );
}

const probe = definePortalAct<OwnKey>({
  back: (call) => call.at('/go-live'),
  find: (call) => findOwnKey(call),
  run: async ({ id }, call) => {
    try {
      const { results } = await call.own.probe(id);
      const failed = results.filter(({ isPassed }) => !isPassed).length;
      return failed === 0 ? 'probes-passed' : ['probes-failed', failed];
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  },
});

/** The errors that the partner itself can avoid. */
function refusalOf(error: unknown): RefusedAct | null {
  if (!(error instanceof OperatorError)) return null;
  if (error.code === 'ENDPOINT_NOT_FOUND') return new RefusedAct('own-no-endpoint');
  return error.code === 'PROBED_RECENTLY' ? new RefusedAct('own-probed-recently') : null;
}

/** What remains before the partner goes live, proved by its own traffic. */
export const portalGoLiveScreen: PortalScreen = {
  name: 'go-live',
  label: 'Go live',
  path: '/go-live',
  rights: ['goLive'],
  pages: { '/go-live': showGoLive },
  actions: { '/go-live/:keyId/probe': probe },
};
