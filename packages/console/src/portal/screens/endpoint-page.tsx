import {
  type EndpointTest,
  failureWords,
  type OwnKey,
  type PortalBacklog,
  type PortalEndpoint,
} from '@partner-hiring/core';
import { type PageContent, pageBelow } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { latencyText } from '../../screens/parts/outcome-text.js';
import { waitingOf } from '../../screens/parts/slow-words.js';
import { countFigure, Figures } from '../../view/figures.js';
import { ActionButton, SubmitButton, TextField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { Alert, Code, countText, FactList, MaybeLink, Note, Section, Time } from '../../view/parts.js';
import type { PortalCall } from '../portal-call.js';
import { FailureAt } from './delivery-words.js';
import { canResume, StateWords } from './endpoint-words.js';
import { environmentName, findChosenKey } from './own-keys.js';
import { SigningSecrets } from './signing-secrets.js';

/** The result of an act on the endpoint, which its page shows. */
export interface EndpointNews {
  readonly tested?: EndpointTest;
  /** Why a URL was not set. */
  readonly refusedUrl?: { readonly url: string; readonly problem: string };
  /** Why another act did nothing. */
  readonly problem?: string;
}

/** One endpoint: how it is, what waits for it, and what its partner may do. */
export async function showOwnEndpoint(call: PortalCall, news: EndpointNews = {}): Promise<PageContent> {
  const key = await findChosenKey(call);
  const endpoint = await call.own.endpoint(key.id);
  const backlog = endpoint === null ? null : await call.own.backlog(key.id);
  const { tested, problem } = news;
  const body = (
    <>
      {problem === undefined ? null : <Alert>{problem}</Alert>}
      {tested === undefined ? null : <TestResult tested={tested} />}
      {endpoint === null ? (
        <NoEndpoint call={call} />
      ) : (
        <StateSection call={call} own={key} endpoint={endpoint} backlog={backlog} />
      )}
      {endpoint === null ? null : (
        <Section title="Signing">
          <SigningSecrets secrets={endpoint.signingSecrets} />
          {call.may('rotateSecret') ? (
            <ActionButton
              action={call.at(`/endpoints/${key.id}/rotate-secret`)}
              label={`${LABELS.button.rotateSecret}…`}
            />
          ) : null}
        </Section>
      )}
      {backlog === null ? null : <WaitingSection call={call} own={key} backlog={backlog} />}
      <UrlSection call={call} own={key} endpoint={endpoint} news={news} />
    </>
  );
  const above = { label: LABELS.all.webhooks, href: call.at('/endpoints') };
  const page = pageBelow(above, `${environmentName(key.environment)} endpoint`, body);
  return { ...page, status: news.refusedUrl === undefined && problem === undefined ? 200 : 409 };
}

function NoEndpoint({ call }: { readonly call: PortalCall }) {
  return (
    <Note>
      {call.may('url')
        ? 'This key has no endpoint yet. Add the URL of your system below, and we send it every event from then on.'
        : 'This key has no endpoint yet. Tell the support the URL of your system, and we send it every event from then on.'}
    </Note>
  );
}

interface OfEndpoint {
  readonly call: PortalCall;
  readonly own: OwnKey;
  readonly endpoint: PortalEndpoint;
}

interface StateSectionProps extends OfEndpoint {
  readonly backlog: PortalBacklog | null;
}

function StateSection({ call, own, endpoint, backlog }: StateSectionProps) {
  const isFailing = endpoint.failingSince !== null;
  const { url, consecutiveFailures, lastSuccessAt, lastFailure, lastFailureAt } = endpoint;
  return (
    <Section title={LABELS.state}>
      <FactList
        facts={[
          [LABELS.endpoint.url, <Code text={url} />],
          [
            LABELS.state,
            <StateWords shown={endpoint} waiting={backlog === null ? undefined : waitingOf(backlog)} />,
          ],
          [LABELS.endpoint.lastSuccess, <Time at={lastSuccessAt} isExact />],
          lastFailure === null || !isFailing
            ? null
            : [LABELS.endpoint.lastFailure, <FailureAt failure={lastFailure} at={lastFailureAt} isExact />],
          lastFailure === null || !isFailing
            ? null
            : [LABELS.endpoint.failuresInARow, countText(consecutiveFailures)],
        ]}
      />
      <StateAdvice endpoint={endpoint} />
      <div class="actions">
        <StateButtons call={call} own={own} endpoint={endpoint} />
      </div>
    </Section>
  );
}

function StateAdvice({ endpoint }: Pick<OfEndpoint, 'endpoint'>) {
  if (endpoint.state === 'paused') {
    return (
      <Note tone="warn">
        {canResume(endpoint)
          ? 'Nothing is sent while the endpoint is paused. No event is lost: all of them wait. Mend your system, send it a test, then resume.'
          : 'Nothing is sent while the endpoint is paused. No event is lost: all of them wait. Ask the support to resume it.'}
      </Note>
    );
  }
  if (endpoint.failingSince === null) return null;
  return (
    <Note tone="warn">
      We send each event ten times within four days. After 50 failures in a row, or 24 hours without a
      success, the endpoint is paused.
    </Note>
  );
}

function StateButtons({ call, own: { id }, endpoint }: OfEndpoint) {
  const { state, gap } = endpoint;
  const to = (act: string) => call.at(`/endpoints/${id}/${act}`);
  const isPaused = state === 'paused';
  return (
    <>
      {call.may('resume') && canResume(endpoint) ? (
        <ActionButton action={to('resume')} label={`${LABELS.button.resume}…`} tone="primary" />
      ) : null}
      {gap !== null && call.may('resume') ? (
        <ActionButton action={to('resume')} label={`${LABELS.button.tryNow}…`} tone="primary" />
      ) : null}
      {call.may('test') ? (
        <ActionButton
          action={to('test')}
          label="Send a test event"
          slow={LABELS.endpoint.testWaits}
          tone={isPaused || gap !== null ? 'secondary' : 'primary'}
        />
      ) : null}
      {!isPaused && call.may('pause') ? (
        <ActionButton action={to('pause')} label={`${LABELS.button.pause}…`} />
      ) : null}
    </>
  );
}

function WaitingSection({
  call,
  own: { id },
  backlog: { due, scheduled, paused, dead, isExact },
}: {
  readonly call: PortalCall;
  readonly own: OwnKey;
  readonly backlog: PortalBacklog;
}) {
  const deliveries = (state: string, count: number) =>
    count === 0 ? null : call.link('deliveries', '', { key: id, state });
  return (
    <Section title="Events that you have not received">
      <Figures
        figures={[
          countFigure('About to be sent', due, isExact, deliveries('pending', due)),
          countFigure('Wait for their next attempt', scheduled, isExact, deliveries('pending', scheduled)),
          countFigure('Wait for the pause to end', paused, isExact, deliveries('pending', paused), 'warn'),
          countFigure('Failed ten times', dead, isExact, deliveries('dead', dead), 'bad'),
        ]}
      />
      <p class="hint">
        <MaybeLink href={call.link('deliveries', '', { key: id })}>
          All events, and how to get them again
        </MaybeLink>
      </p>
    </Section>
  );
}

interface UrlSectionProps extends Pick<OfEndpoint, 'call' | 'own'> {
  readonly endpoint: PortalEndpoint | null;
  readonly news: EndpointNews;
}

function UrlSection({ call, own, endpoint, news: { refusedUrl } }: UrlSectionProps) {
  if (!call.may('url')) return null;
  return (
    <Section title={endpoint === null ? 'Add the URL' : 'Change the URL'}>
      <form class="inline" method="post" action={call.at(`/endpoints/${own.id}/url`)}>
        <TextField
          name="url"
          type="url"
          label={endpoint === null ? 'URL of your webhook receiver' : LABELS.endpoint.newUrl}
          hint="We first send a signed test event to it, which it must answer with a status from 200 to 299."
          error={refusedUrl?.problem}
          value={refusedUrl?.url ?? null}
          isRequired
          maxLength={2000}
        />
        <SubmitButton label={endpoint === null ? 'Test and add it' : 'Test and change it'} />
      </form>
    </Section>
  );
}

interface TestResultProps {
  readonly tested: EndpointTest;
}

function TestResult({ tested: { isSuccess, status, failure, latencyMs, eventId } }: TestResultProps) {
  return (
    <section
      class={`card news ${isSuccess ? 'good' : 'bad'}`}
      aria-label={LABELS.endpoint.testResult}
      role="status"
    >
      <p class="lead">
        {isSuccess
          ? 'Your endpoint accepted the test event.'
          : 'Your endpoint did not accept the test event.'}
      </p>
      <p>
        {isSuccess || failure === null
          ? `It answered ${status} after ${latencyText(latencyMs)}.`
          : `After ${latencyText(latencyMs)}: ${failureWords({ kind: failure, status })}. It must answer with a status from 200 to 299 within 30 seconds.`}{' '}
        <Id value={eventId} />
      </p>
      <p>
        The ids of a test event begin with ten zeros, such as <code>evt_0000000000…</code>. It is signed like
        every event, and is not kept in your list of events.
      </p>
    </section>
  );
}
