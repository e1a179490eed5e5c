import type { KeyId, Own, OwnKey } from '@partner-hiring/core';
import type { DoneName } from '../../http/notices.js';
import type { PageContent, Redirection, RunAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { goTo, pageOfAct } from '../../screens/parts/define-act.js';
import { askOverlap, overlapFact, readRotation, rotatedAlready } from '../../screens/parts/rotation.js';
import { secretPage } from '../../screens/parts/secret-page.js';
import { Code, countText, type FactRow, Note } from '../../view/parts.js';
import { definePortalAct, type PortalAction, type PortalCall } from '../portal-call.js';
import { showOwnEndpoint } from './endpoint-page.js';
import { refusalWords, StateWords } from './endpoint-words.js';
import { environmentName, findChosenKey } from './own-keys.js';

/** Goes back with a notice. If the act did nothing, shows the endpoint and says why. */
async function after<Result>(
  call: PortalAction,
  outcome: Own<Result>,
  done: DoneName,
): Promise<PageContent | Redirection> {
  if (outcome.kind === 'done') return goTo(pageOfAct(call), done);
  return showOwnEndpoint(call, { problem: refusalWords(outcome.refusal) });
}

const test = definePortalAct<OwnKey>({
  find: (call) => findChosenKey(call),
  run: async ({ id }, call) => {
    const outcome = await call.own.test(id);
    return showOwnEndpoint(
      call,
      outcome.kind === 'done' ? { tested: outcome.result } : { problem: refusalWords(outcome.refusal) },
    );
  },
});

const pause = definePortalAct<OwnKey>({
  find: (call) => findChosenKey(call),
  ask: async (key, call) => ({
    title: 'Pause sending?',
    text: 'We stop sending events to this endpoint. No event is lost: all of them wait until you resume.',
    facts: await factsOf(key, call),
    confirm: LABELS.button.pause,
  }),
  run: async ({ id }, call) => after(call, await call.own.pause(id), 'own-endpoint-paused'),
});

const resume = definePortalAct<OwnKey>({
  find: (call) => findChosenKey(call),
  ask: async (key, call) => {
    const { paused: waiting = 0, retries = 0 } = (await call.own.backlog(key.id)) ?? {};
    if (await isSlowed(call, key.id)) {
      return {
        title: 'Try your endpoint now?',
        text: 'We make one attempt now, with the event that has waited longest. If your endpoint accepts it, the others follow. Otherwise, they wait as before.',
        facts: await factsOf(key, call),
        confirm: LABELS.button.tryNow,
      };
    }
    return {
      title: 'Resume sending?',
      text: 'We send every event that waits, the oldest first. Send a test first if you are not sure that your endpoint works.',
      facts: [...(await factsOf(key, call)), ['Events that wait', countText(waiting)]],
      confirm: LABELS.button.resume,
      more:
        retries === 0 ? null : (
          <p class="field check">
            <label>
              <input type="checkbox" name="retryNow" value="yes" checked />
              {retries === 1
                ? ' Also send now the event that failed before. Otherwise, it waits for its next attempt'
                : ` Also send now the ${countText(retries)} events that failed before. Otherwise, they wait for their next attempt`}
            </label>
          </p>
        ),
    };
  },
  run: async ({ id }, call) => {
    const retryNow = call.form.text('retryNow') === 'yes';
    const done = (await isSlowed(call, id)) ? 'own-endpoint-tried' : 'own-endpoint-resumed';
    return after(call, await call.own.resume(id, { retryNow }), done);
  },
});

async function isSlowed(call: PortalAction, keyId: KeyId): Promise<boolean> {
  const endpoint = await call.own.endpoint(keyId);
  return endpoint !== null && endpoint.gap !== null;
}

const setUrl: RunAction<PortalCall> = async (call) => {
  const { id } = await findChosenKey(call);
  const url = call.form.text('url');
  if (url === null) return refuseUrl(call, '', 'Enter a URL, such as https://ats.example/webhooks.');
  const outcome = await call.own.setUrl(id, url);
  if (outcome.kind === 'refused') return refuseUrl(call, url, refusalWords(outcome.refusal));
  const { signingSecret } = outcome.result;
  return signingSecret === null
    ? goTo(pageOfAct(call), 'own-endpoint-url')
    : signingSecretPage(call, id, LABELS.endpoint.added, signingSecret);
};

function refuseUrl(call: PortalAction, url: string, problem: string): Promise<PageContent> {
  return showOwnEndpoint(call, { refusedUrl: { url, problem } });
}

const rotateSecret = definePortalAct<OwnKey>({
  find: (call) => findChosenKey(call),
  ask: async (key, call) => ({
    title: `${LABELS.button.rotateSecret}?`,
    text: 'You see the new secret once, on the next page. Until the old one ends, each event is signed with both, so let your receiver accept either. If somebody else may have the old one, let it end now.',
    facts: await factsOf(key, call),
    ...askOverlap(
      (await call.own.endpoint(key.id))?.signingSecretId ?? '',
      'How long the old secret continues to sign',
      'Stop the old secret now (events have only the new signature)',
    ),
  }),
  once: rotatedAlready('signing secret'),
  run: async ({ id }, call) => {
    const rotation = readRotation(call.form);
    const outcome = await call.own.rotateSecret(id, rotation);
    if (outcome.kind === 'refused') return showOwnEndpoint(call, { problem: refusalWords(outcome.refusal) });
    const old = overlapFact(rotation.overlapMs, ['signs', 'does not sign']);
    return signingSecretPage(call, id, 'New signing secret', outcome.result.signingSecret, [
      ['Old secret', old],
    ]);
  },
});

async function signingSecretPage(
  call: PortalAction,
  keyId: KeyId,
  title: string,
  secret: string,
  more: readonly (readonly [string, string])[] = [],
): Promise<PageContent> {
  const key = await call.own.key(keyId);
  return secretPage({
    title,
    text: 'Your receiver verifies the signature of each event with this secret. The whole text is the secret, with whsec_ at its beginning.',
    facts: [
      ...(key === null ? [] : [[LABELS.environment, environmentName(key.environment)] as const]),
      ...more,
    ],
    secrets: [[LABELS.endpoint.signingSecret, secret]],
    crumbs: [{ label: LABELS.all.webhooks, href: call.at('/endpoints') }],
    next: { label: 'I have saved it: back to the endpoint', href: pageOfAct(call) },
  });
}

async function factsOf({ id, environment }: OwnKey, call: PortalAction): Promise<readonly FactRow[]> {
  const endpoint = await call.own.endpoint(id);
  return [
    [LABELS.environment, environmentName(environment)],
    [LABELS.endpoint.url, endpoint === null ? <Note>None yet</Note> : <Code text={endpoint.url} />],
    endpoint === null ? null : [LABELS.state, <StateWords shown={endpoint} />],
  ];
}

/** The acts on one endpoint. */
export const endpointActs: Readonly<Record<string, RunAction<PortalCall>>> = {
  '/endpoints/:keyId/test': test,
  '/endpoints/:keyId/pause': pause,
  '/endpoints/:keyId/resume': resume,
  '/endpoints/:keyId/url': setUrl,
  '/endpoints/:keyId/rotate-secret': rotateSecret,
};
