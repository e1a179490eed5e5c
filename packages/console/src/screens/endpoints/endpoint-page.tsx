import type { EndpointDetails, EndpointReport, KeyId, TestDelivery } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import type { PageContent, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { BarChart } from '../../view/bar-chart.js';
import { DataTable } from '../../view/data-table.js';
import { countFigure, Figures } from '../../view/figures.js';
import { Id } from '../../view/ids.js';
import { Code, countText, FactList, MaybeLink, Note, Section, Time } from '../../view/parts.js';
import { ResendButton } from '../partners/resend-act.js';
import { EndpointBadge } from '../parts/badges.js';
import { labelOf } from '../parts/choices.js';
import { alertsFact } from '../parts/names.js';
import { latencyText, outcomeSentence } from '../parts/outcome-text.js';
import { SlowWords, waitingOf } from '../parts/slow-words.js';
import { EndpointActionsCard } from './endpoint-actions-card.js';
import { PauseWords } from './pause-words.js';

/** The key of the page's path. */
export function endpointKeyOf(call: ScreenCall): KeyId {
  return call.param('key') as KeyId;
}

/**
 * One endpoint: its health, what waits for it, and its last attempts.
 * @param tested - the result of a test that the actor has just made.
 */
export async function showEndpoint(
  call: ScreenCall,
  tested: TestDelivery | null = null,
): Promise<PageContent> {
  const { gate } = call;
  const keyId = endpointKeyOf(call);
  const found = gate.may('keys:read') ? await gate.call('keys.find', { id: keyId }) : null;
  const endpoint = await gate.call('endpoints.find', { keyId });
  if (endpoint === null && found === null) throw new NothingHere();
  const label = found?.label ?? keyId;
  const crumbs = [{ label: LABELS.all.endpoints, href: call.at('/endpoints') }];
  if (endpoint === null) {
    const body = (
      <>
        <Note>
          This key has no endpoint, so no event is sent to its partner. The partner reads its changes in the
          API.
        </Note>
        <EndpointActionsCard call={call} keyId={keyId} endpoint={null} />
        <MaybeLink href={call.link('keys', `/${keyId}`)}>{label}</MaybeLink>
      </>
    );
    return { kind: 'page', title: `Endpoint of ${label}`, crumbs, body };
  }
  const audit = call.link('audit', '', { kind: 'endpoint', id: keyId });
  const body = (
    <>
      {tested === null ? null : <TestSection tested={tested} />}
      <div class="columns">
        <Section title={LABELS.one.endpoint}>
          <FactList
            facts={[
              ...factsOf(call, endpoint),
              found === null ? null : alertsFact(call, found.key.partnerId),
            ]}
          />
          {audit === null ? null : <a href={audit}>Acts on this endpoint in the audit</a>}
        </Section>
        <Section title="What waits">
          <Waiting call={call} report={endpoint} />
          {found === null ? null : <ResendButton call={call} id={found.key.partnerId} />}
          <ActivityChart hours={endpoint.hours} />
        </Section>
      </div>
      <EndpointActionsCard call={call} keyId={keyId} endpoint={endpoint} />
      <LastAttempts call={call} keyId={keyId} />
    </>
  );
  return { kind: 'page', title: `Endpoint of ${label}`, crumbs, body };
}

function factsOf(call: ScreenCall, report: EndpointReport) {
  const { url, state, health, createdAt, resumedAt, keyId, keyLabel: label, counts } = report;
  const isFailing = health.firstFailureAt !== null;
  return [
    [LABELS.endpoint.url, <Code text={url} />],
    [
      LABELS.state,
      <>
        <EndpointBadge state={state} isFailing={isFailing} />{' '}
        {state.kind === 'paused' ? (
          <PauseWords gate={call.gate} keyId={keyId} state={state} />
        ) : health.gap !== null ? (
          <SlowWords gap={health.gap} waiting={waitingOf(counts)} />
        ) : isFailing ? (
          'Events are still sent to it.'
        ) : (
          'Events are sent to it.'
        )}
      </>,
    ],
    [
      LABELS.endpoint.failingSince,
      health.firstFailureAt === null ? 'not failing' : <Time at={health.firstFailureAt} />,
    ],
    [LABELS.endpoint.failuresInARow, countText(health.consecutiveFailures)],
    [LABELS.endpoint.lastFailure, outcomeSentence(health.lastFailure)],
    [LABELS.endpoint.lastSuccess, <Time at={health.lastSuccessAt} />],
    [LABELS.createdAt, <Time at={createdAt} />],
    ['Last resumed', <Time at={resumedAt} />],
    [LABELS.one.partnerKey, <MaybeLink href={call.link('keys', `/${keyId}`)}>{label}</MaybeLink>],
  ] as const;
}

interface WaitingProps {
  readonly call: ScreenCall;
  readonly report: EndpointReport;
}

function Waiting({ call, report: { keyId, counts } }: WaitingProps) {
  const { due, scheduled, paused, dead, isExact } = counts;
  const deliveries = (query: Readonly<Record<string, string>>) =>
    call.link('deliveries', '', { key: keyId, ...query });
  const waiting = (waits: string) => deliveries({ waits });
  return (
    <Figures
      figures={[
        countFigure(LABELS.endpoint.due, due, isExact, waiting('due')),
        countFigure(LABELS.endpoint.scheduled, scheduled, isExact, waiting('later')),
        countFigure('Held by the pause', paused, isExact, waiting('held'), 'warn'),
        countFigure(LABELS.all.deadLetters, dead, isExact, deliveries({ state: 'dead' }), 'bad'),
      ]}
    />
  );
}

function ActivityChart({ hours }: Pick<EndpointDetails, 'hours'>) {
  return (
    <BarChart
      title="Attempts in the last 24 hours"
      series={[
        { name: 'Succeeded', tone: 'good' },
        { name: 'Failed', tone: 'bad' },
      ]}
      bars={hours.map(({ hour: at, succeeded, failed }) => ({ at, values: [succeeded, failed] }))}
    />
  );
}

const MOST_ATTEMPTS = 5;

async function LastAttempts({ call, keyId }: { readonly call: ScreenCall; readonly keyId: KeyId }) {
  if (!call.gate.may('deliveries:read')) return null;
  const { items } = await call.gate.call('deliveries.listAttempts', { keyId, limit: MOST_ATTEMPTS });
  return (
    <Section title="Last attempts">
      <DataTable
        caption="At most five attempts, newest first. A success at the first attempt is only counted"
        empty="No attempt is recorded: every event was accepted at the first attempt, or none was sent."
        rows={items}
        columns={[
          {
            header: LABELS.endedAt,
            cell: ({ keyId, eventId, endedAt }) => (
              <MaybeLink href={call.link('deliveries', `/${keyId}/${eventId}`)}>
                <Time at={endedAt} />
              </MaybeLink>
            ),
          },
          { header: LABELS.one.attempt, isNumber: true, cell: ({ number }) => `${number} of 10` },
          { header: LABELS.answer, cell: ({ outcome }) => outcomeSentence(outcome) },
          { header: LABELS.took, isNumber: true, cell: ({ latencyMs }) => latencyText(latencyMs) },
          {
            header: LABELS.delivery.details,
            cell: ({ outcome }) => (outcome.kind === 'answered' ? outcome.excerpt : outcome.message) || '–',
          },
        ]}
      />
    </Section>
  );
}

interface TestSectionProps {
  readonly tested: TestDelivery;
}

function TestSection({ tested: { isSuccess, outcome, latencyMs, event } }: TestSectionProps) {
  const text = outcome.kind === 'answered' ? outcome.excerpt : outcome.message;
  return (
    <section
      class={`card news ${isSuccess ? 'good' : 'bad'}`}
      aria-label={LABELS.endpoint.testResult}
      role="status"
    >
      <p class="lead">
        {isSuccess ? 'The endpoint accepted the test event.' : 'The endpoint did not accept the test event.'}
      </p>
      <p>
        {`${outcomeSentence(outcome)} after ${latencyText(latencyMs)}. Event: ${labelOf(event.type)} `}
        <Id value={event.id} />
      </p>
      {text === '' ? null : (
        <p>
          {outcome.kind === 'answered' ? 'Its answer: ' : 'Reason: '}
          <q>{text}</q>
        </p>
      )}
      <p>A test is not recorded: it changes neither the health nor the backlog.</p>
    </section>
  );
}
