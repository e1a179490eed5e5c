import type { ApplicationDetails, NewsState, PartnerNews } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { ActionButton } from '../../view/forms.js';
import { Time, type Tone } from '../../view/parts.js';

/** Tells whether the partner knows the current status, in words for people who do not know the API. */
export interface PlainNews {
  readonly lead: string;
  readonly detail: string;
  readonly tone: Tone;
  /** The act that helps. Null if nothing needs help. */
  readonly help: 'send' | 'resume' | null;
}

const LEADS: Readonly<Record<NewsState, Omit<PlainNews, 'detail'>>> = {
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

/** Sentences about commands of the operator. The page has buttons for them. */
const COMMANDS = /\s*\b(?:deliveries|endpoints)\.\w+ [^.]*\./g;

/** Says in plain words whether the partner knows the present status. */
export function plainNews({ state, text }: PartnerNews): PlainNews {
  return { ...LEADS[state], detail: text.replace(COMMANDS, '').trim() };
}

/** Shows first whether the partner knows the current status, with the button that helps if not. */
export function NewsCard({
  call,
  application: { id, keyId },
  news,
}: {
  readonly call: ScreenCall;
  readonly application: Pick<ApplicationDetails, 'id' | 'keyId'>;
  readonly news: PartnerNews;
}) {
  const plain = plainNews(news);
  const endpoint = call.link('endpoints', `/${keyId}`);
  return (
    <section class={`card news ${plain.tone}`} aria-label="Does the partner know?">
      <p class="lead">{plain.lead}</p>
      <p>{plain.detail}</p>
      {news.knownSince === null ? null : (
        <p>
          Known since <Time at={news.knownSince} />.
        </p>
      )}
      <HelpButton call={call} id={id} help={plain.help} />
      {plain.help === 'resume' && endpoint !== null ? (
        <p>
          <a href={endpoint}>See the endpoint</a>
        </p>
      ) : null}
    </section>
  );
}

function HelpButton({
  call,
  id,
  help,
}: {
  readonly call: ScreenCall;
  readonly id: string;
  readonly help: PlainNews['help'];
}) {
  const { gate } = call;
  if (help === 'send' && gate.may('deliveries:redeliver') && gate.may('deliveries:read')) {
    return (
      <ActionButton action={call.at(`/applications/${id}/redeliver`)} label="Send the event again now" />
    );
  }
  if (help === 'resume' && gate.may('endpoints:resume')) {
    return <ActionButton action={call.at(`/applications/${id}/resume-endpoint`)} label="Resume sending…" />;
  }
  return null;
}
