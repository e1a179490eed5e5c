import type { Endpoint, EndpointDetails, KeyId } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import { mustFind } from '../../gate/refusals.js';
import { errorPage } from '../../http/error-pages.js';
import type { PageContent, RunAction, ScreenAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { HiddenFields } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { Code, countText } from '../../view/parts.js';
import { choiceOf } from '../parts/choices.js';
import { change, defineAct, goTo, pageOfAct, RefusedAct } from '../parts/define-act.js';
import { nameOf } from '../parts/names.js';
import { askOverlap, overlapFact, readRotation, rotatedAlready } from '../parts/rotation.js';
import { secretPage } from '../parts/secret-page.js';
import { SlowWords, waitingOf } from '../parts/slow-words.js';
import { endpointKeyOf, showEndpoint } from './endpoint-page.js';
import { EndpointWords, PauseWords } from './pause-words.js';

function find(call: ScreenAction): Promise<EndpointDetails> {
  return mustFind(call.gate.call('endpoints.find', { keyId: endpointKeyOf(call) }));
}

const test = defineAct({
  find: ({ form }) => choiceOf('endpoints.test', 'type', form.text('type')),
  run: async (type, call) =>
    showEndpoint(call, await call.gate.call('endpoints.test', { keyId: endpointKeyOf(call), type })),
});

const pause = defineAct<Endpoint>({
  find,
  ask: async (endpoint, call) => ({
    ...(endpoint.state.kind === 'paused'
      ? {
          title: 'Keep this endpoint paused?',
          text: 'Only the platform then resumes the endpoint: its partner cannot, and enabling the partner does not.',
          confirm: 'Keep paused',
        }
      : {
          title: 'Pause this endpoint?',
          text: 'Sending stops at the next poll of the worker. New events are recorded, and are sent when the platform resumes the endpoint.',
          confirm: LABELS.button.pause,
        }),
    facts: await factsOf(endpoint, call),
  }),
  run: change('endpoints.pause', ({ keyId }) => ({ keyId }), 'endpoint-paused', 'endpoint-paused-before'),
});

const resume = defineAct<Endpoint>({
  find,
  ask: async ({ keyId, url, state, health }, { gate }) => {
    const { retries, due, isExact, counts } = await countWaiting(gate, keyId);
    const isPaused = state.kind === 'paused';
    if (health.gap !== null) {
      return {
        title: 'Try this endpoint now?',
        text: 'The worker makes one attempt now, with the event that has waited longest. If it fails, the endpoint is sent to as slowly as before.',
        facts: [
          [LABELS.endpoint.url, <Code text={url} />],
          [LABELS.state, <SlowWords gap={health.gap} waiting={waitingOf(counts)} />],
        ],
        confirm: LABELS.button.tryNow,
        more: retries === 0 ? null : <AlsoRetryNow retries={retries} />,
      };
    }
    return {
      title: isPaused ? 'Resume sending to this endpoint?' : 'Retry now what waits for this endpoint?',
      text: 'The worker sends everything that waits, the oldest first. Deliveries that failed before wait for their next attempt, unless you retry them now.',
      facts: [
        [LABELS.endpoint.url, <Code text={url} />],
        [LABELS.endpoint.paused, isPaused ? <PauseWords gate={gate} keyId={keyId} state={state} /> : 'no'],
        [isPaused ? 'Sent once resumed' : 'Sent now anyway', countText(due, isExact)],
        ['Wait for a retry', countText(retries)],
      ],
      confirm: isPaused ? LABELS.button.resume : 'Retry now',
      // As in the library and on the command line, resuming alone keeps the times of retries.
      more:
        isPaused && retries === 0 ? null : isPaused ? (
          <AlsoRetryNow retries={retries} />
        ) : (
          <input type="hidden" name="retryNow" value="yes" />
        ),
    };
  },
  run: async ({ keyId }, call) => {
    const retryNow = call.form.text('retryNow') === 'yes';
    const { due } = await countWaiting(call.gate, keyId);
    const resumed = await call.gate.call('endpoints.resume', { keyId, retryNow });
    const { count, operation, pausedReason } = resumed;
    const isSlowed = resumed.endpoint.health.gap !== null;
    const to = operation === null ? null : call.link('operations', `/${operation.id}`);
    return goTo(
      to ?? pageOfAct(call),
      ...(isSlowed ? (['endpoint-tried'] as const) : []),
      ...(isSlowed || (pausedReason === null && retryNow) ? [] : (['endpoint-resumed'] as const)),
      ...(isSlowed || due === 0 ? [] : [['events-go-out', due] as const]),
      ...(retryNow && (count > 0 || due === 0) ? [['retried-now', count] as const] : []),
      ...(operation === null ? [] : (['operation-retries-rest'] as const)),
    );
  },
});

function AlsoRetryNow({ retries }: { readonly retries: number }) {
  const which = retries === 1 ? 'the delivery that waits' : `the ${countText(retries)} deliveries that wait`;
  return (
    <p class="field check">
      <label>
        <input type="checkbox" name="retryNow" value="yes" />
        {` Also retry now ${which} for a retry`}
      </label>
    </p>
  );
}

/** Counts what waits for an endpoint: what is sent as soon as it is active, and what waits for a retry. */
async function countWaiting(gate: Gate, keyId: KeyId) {
  const { counts } = await mustFind(gate.call('endpoints.find', { keyId }));
  const { count: retries } = await gate.call('endpoints.resume', { keyId, retryNow: true, dryRun: true });
  const { due, paused, isExact } = counts;
  return { retries, due: Math.max(due, paused - retries), isExact, counts };
}

const setUrl = defineAct({
  find: async (call) => {
    const keyId = endpointKeyOf(call);
    const url = call.form.text('url');
    if (url === null) throw new RefusedAct('enter-url');
    if (!isWebAddress(url)) throw new RefusedAct('url-unclear');
    const endpoint = await call.gate.call('endpoints.find', { keyId });
    if (endpoint === null && call.gate.may('keys:read')) {
      await mustFind(call.gate.call('keys.find', { id: keyId }));
    }
    return { keyId, url, endpoint };
  },
  ask: async ({ url, endpoint }, call) => ({
    title: endpoint === null ? 'Add this endpoint?' : 'Send to another URL?',
    text:
      endpoint === null
        ? 'The events of this key are sent to the URL from now on. You see the signing secret once, on the next page.'
        : 'Everything that waits goes to the new URL. The signing secret, the count of failures and a pause do not change.',
    facts: [
      ...(endpoint === null ? [] : await factsOf(endpoint, call)),
      [LABELS.endpoint.newUrl, <Code text={url} />],
    ],
    confirm: endpoint === null ? 'Add the endpoint' : 'Set the URL',
    warning: url.startsWith('http:')
      ? 'The URL is not encrypted. It is refused unless those who run the server allow it.'
      : null,
    more: endpoint === null ? <HiddenFields fields={[['adds', 'yes']]} /> : null,
  }),
  run: async ({ keyId, url, endpoint }, call) => {
    if (call.form.text('adds') === 'yes' && endpoint !== null) {
      return errorPage(
        409,
        'The endpoint was added already',
        'This form was sent after the endpoint was added, so nothing was done. The signing secret is shown only once. If nobody saved it, rotate it on the page of the endpoint.',
      );
    }
    const { signingSecret, changed } = await call.gate.call('endpoints.setUrl', { keyId, url });
    if (signingSecret !== null) return signingSecretPage(call, LABELS.endpoint.added, signingSecret);
    return changed ? 'endpoint-url-set' : 'endpoint-url-before';
  },
});

/** The library checks the URL again, and refuses plain http unless the host allows it. */
function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return ['https:', 'http:'].includes(protocol) && username === '' && password === '';
}

const restoreUrl = defineAct<Endpoint>({
  find,
  ask: async (endpoint, call) => {
    if (endpoint.replacedUrl === null) throw new RefusedAct('no-old-url');
    return {
      title: 'Restore the old URL?',
      text: 'Somebody with the API key of the partner has changed the URL. If the key was stolen, also revoke its secrets. Everything that waits goes to the old URL.',
      facts: [...(await factsOf(endpoint, call)), ['Old URL', <Code text={endpoint.replacedUrl.url} />]],
      confirm: 'Restore',
    };
  },
  run: change(
    'endpoints.setUrl',
    ({ keyId }) => ({ keyId, restore: true as const }),
    'endpoint-url-set',
    'endpoint-url-before',
  ),
});

const rotateSecret = defineAct<Endpoint>({
  find,
  ask: async (endpoint, call) => ({
    title: `${LABELS.button.rotateSecret}?`,
    text: 'You see the new secret once, on the next page. Give it to the partner before the old secrets stop signing. If a secret has leaked, let the old ones stop now: this is enough.',
    facts: await factsOf(endpoint, call),
    ...askOverlap(
      endpoint.signingSecretId,
      'How long the old secrets continue to sign',
      LABELS.button.stopAtOnce,
    ),
  }),
  once: rotatedAlready('signing secret'),
  run: async ({ keyId }, call) => {
    const rotation = readRotation(call.form);
    const { signingSecret } = await call.gate.call('endpoints.rotateSecret', { keyId, ...rotation });
    const old = [LABELS.key.oldSecrets, overlapFact(rotation.overlapMs, ['sign', 'do not sign'])] as const;
    return signingSecretPage(call, 'Signing secret rotated', signingSecret, [old]);
  },
});

async function signingSecretPage(
  call: ScreenAction,
  title: string,
  secret: string,
  more: readonly (readonly [string, string])[] = [],
): Promise<PageContent> {
  const keyId = endpointKeyOf(call);
  return secretPage({
    title,
    text: 'The partner verifies the signature of each webhook with this secret.',
    facts: [[LABELS.one.partnerKey, (await nameOf.key(call.gate, keyId)) ?? <Id value={keyId} />], ...more],
    secrets: [[LABELS.endpoint.signingSecret, secret]],
    crumbs: [{ label: LABELS.all.endpoints, href: call.at('/endpoints') }],
    next: { label: 'Back to the endpoint', href: pageOfAct(call) },
  });
}

async function factsOf(endpoint: Endpoint, { gate }: ScreenAction) {
  const { keyId, url } = endpoint;
  return [
    [LABELS.one.partnerKey, (await nameOf.key(gate, keyId)) ?? <Id value={keyId} />],
    [LABELS.endpoint.url, <Code text={url} />],
    [LABELS.state, <EndpointWords gate={gate} endpoint={endpoint} />],
  ] as const;
}

/** The acts on one endpoint. */
export const endpointActions: Readonly<Record<string, RunAction>> = {
  '/endpoints/:key/test': test,
  '/endpoints/:key/pause': pause,
  '/endpoints/:key/resume': resume,
  '/endpoints/:key/set-url': setUrl,
  '/endpoints/:key/restore-url': restoreUrl,
  '/endpoints/:key/rotate-secret': rotateSecret,
};
