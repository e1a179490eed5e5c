import type { ApplicationDetails, KeyId, NewsState, PartnerNews, TimelineEntry } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Gate } from '../../gate/gate.js';
import type { ScreenCall } from '../../http/screen.js';
import { findPause, PauseWords } from '../../screens/endpoints/pause-words.js';
import { outcomeSentence } from '../../screens/parts/outcome-text.js';
import { ActionButton } from '../../view/forms.js';
import { Time, type Tone } from '../../view/parts.js';

/** Tells whether the partner knows the current status, in words for people who do not know the API. */
interface PlainNews {
  readonly lead: string;
  readonly tone: Tone;
  /** The act that helps. Null if nothing needs help. */
  readonly help: 'send' | 'resume' | null;
}

const LEADS: Readonly<Record<NewsState, PlainNews>> = {
  delivered: { lead: 'The partner knows the present status.', tone: 'good', help: null },
  read: { lead: 'The partner knows the present status.', tone: 'good', help: null },
  waiting: {
    lead: 'The partner may not know the present status: its event waits to be sent.',
    tone: 'warn',
    help: 'send',
  },
  paused: {
    lead: 'The partner may not know the present status: sending to its endpoint is paused.',
    tone: 'warn',
    help: 'resume',
  },
  dead: {
    lead: 'The partner was not told the present status: every attempt to send its event failed.',
    tone: 'bad',
    help: 'send',
  },
  cancelled: {
    lead: 'The partner was not told the present status: somebody cancelled its event.',
    tone: 'warn',
    help: 'send',
  },
  no_event: {
    lead: 'This status sends no event. The partner sees it the next time it reads its applications.',
    tone: 'calm',
    help: null,
  },
  no_endpoint: {
    lead: 'The partner had no webhook endpoint, so no event was sent. It sees the status when it reads its applications.',
    tone: 'warn',
    help: null,
  },
  expired: {
    lead: 'It is no longer stored whether the partner was told the present status.',
    tone: 'calm',
    help: null,
  },
};

interface NewsCardProps {
  readonly call: ScreenCall;
  readonly application: Pick<ApplicationDetails, 'id' | 'keyId'>;
  readonly news: PartnerNews;
  readonly entries: readonly TimelineEntry[];
}

/** Shows first whether the partner knows the current status, with the button that helps if not. */
export async function NewsCard({ call, application: { id, keyId }, news, entries }: NewsCardProps) {
  const plain = LEADS[news.state];
  const endpoint = call.link('endpoints', `/${keyId}`);
  const pause = plain.help === null ? null : await findPause(call.gate, keyId);
  const details = await detailsOf(call, keyId, news, entries);
  return (
    <section class={`card news ${plain.tone}`} aria-label="Does the partner know?">
      <p class="lead">{plain.lead}</p>
      {pause === null ? null : (
        <p>
          Sending to its endpoint is paused: <PauseWords gate={call.gate} keyId={keyId} state={pause} />.
          {plain.help === 'send' ? ' If you resend the event, it waits until sending is resumed.' : null}
        </p>
      )}
      {details.map((detail) => (
        <p>{detail}</p>
      ))}
      {plain.help === null ? null : (
        <div class="actions">
          {pause === null || plain.help === 'resume' ? null : (
            <HelpButton call={call} id={id} help="resume" />
          )}
          <HelpButton call={call} id={id} help={plain.help} />
        </div>
      )}
      {(pause !== null || plain.help === 'resume') && endpoint !== null ? (
        <p>
          <a href={endpoint}>See the endpoint</a>
        </p>
      ) : null}
    </section>
  );
}

/** Says how and when the partner learned of it, or what stands in the way. */
async function detailsOf(
  { gate }: ScreenCall,
  keyId: KeyId,
  { state, knownSince }: PartnerNews,
  entries: readonly TimelineEntry[],
): Promise<readonly Child[]> {
  if (state === 'delivered') {
    return [
      knownSince === null ? (
        'Its endpoint accepted the event. The time was not recorded.'
      ) : (
        <>
          Its endpoint accepted the event <Time at={knownSince} />.
        </>
      ),
    ];
  }
  if (state === 'read') {
    return [
      <>
        It read the change in its list of applications, <Time at={knownSince} /> at the latest.
      </>,
    ];
  }
  const reads = gate.may('requests:read')
    ? await gate.call('requests.listReads', { keyId, onlyLast: true })
    : null;
  return [
    ...(await waitingSentences(gate, state, entries)),
    ...(reads === null
      ? []
      : [readSentence(reads.items.find(({ route }) => route === '/applications')?.lastAt ?? null)]),
  ];
}

/** Says when the last attempt failed, and when the next one is due. */
async function waitingSentences(
  gate: Gate,
  state: NewsState,
  entries: readonly TimelineEntry[],
): Promise<readonly Child[]> {
  const last = entries.findLast((entry) => entry.kind === 'attempt');
  const event = entries.findLast((entry) => entry.kind === 'event');
  const delivery =
    state === 'waiting' && event !== undefined && gate.may('deliveries:read')
      ? await gate.call('deliveries.find', { keyId: event.keyId, eventId: event.eventId })
      : null;
  const dueAt = last === undefined ? null : (delivery?.delivery.dueAt ?? null);
  return [
    ...(last === undefined
      ? []
      : [
          <>
            The last attempt failed <Time at={last.at} />: {outcomeSentence(last.attempt.outcome)}.
          </>,
        ]),
    ...(dueAt === null
      ? []
      : [
          <>
            The next attempt is <Time at={dueAt} />.
          </>,
        ]),
  ];
}

function readSentence(lastAt: number | null): Child {
  if (lastAt === null) return 'The log has no request of the partner for its list of applications.';
  return (
    <>
      The partner last read its list of applications <Time at={lastAt} />.
    </>
  );
}

interface HelpButtonProps {
  readonly call: ScreenCall;
  readonly id: string;
  readonly help: PlainNews['help'];
}

function HelpButton({ call, id, help }: HelpButtonProps) {
  const { gate } = call;
  if (help === 'send' && gate.may('deliveries:resend') && gate.may('deliveries:read')) {
    return (
      <ActionButton
        action={call.at(`/applications/${id}/resend`)}
        label="Resend the event now"
        tone="primary"
      />
    );
  }
  if (help === 'resume' && gate.may('endpoints:resume')) {
    return (
      <ActionButton
        action={call.at(`/applications/${id}/resume-endpoint`)}
        label="Resume sending…"
        tone="primary"
      />
    );
  }
  return null;
}
