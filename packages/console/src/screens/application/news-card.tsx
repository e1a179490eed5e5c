import type { ApplicationDetails, PartnerNews } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { ActionButton } from '../../view/forms.js';
import { Time } from '../../view/parts.js';
import { type PlainNews, plainNews } from './plain-news.js';

/** Says first whether the partner knows the present status, with the button that helps. */
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
