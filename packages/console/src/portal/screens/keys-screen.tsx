import type { OwnKey, PortalEndpoint, RouteLimit, SeenCompany } from '@partner-hiring/core';
import type { PageContent } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { SecretsTable } from '../../screens/keys/secrets-section.js';
import { currentSecretOf, lastUseOf } from '../../screens/partners/last-use.js';
import { RefusedAct } from '../../screens/parts/define-act.js';
import { cursorOf, ListPager } from '../../screens/parts/define-list.js';
import { askOverlap, overlapFact, readRotation, rotatedAlready } from '../../screens/parts/rotation.js';
import { secretPage } from '../../screens/parts/secret-page.js';
import { type Column, DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { FactList, MaybeLink, Note, Section, Time } from '../../view/parts.js';
import { definePortalAct, type PortalCall, type PortalScreen } from '../portal-call.js';
import { adviceOnLimits } from './advice.js';
import { environmentName, findChosenKey } from './own-keys.js';
import { SigningSecrets } from './signing-secrets.js';

async function showKeys(call: PortalCall): Promise<PageContent> {
  const keys = await call.own.keys();
  const sections = await Promise.all(
    keys.map(async (own) => ({ own, endpoint: await endpointOf(call, own) })),
  );
  const body =
    keys.length === 0 ? (
      <Note>You have no key yet. Ask the support for one.</Note>
    ) : (
      <div>
        {sections.map(({ own, endpoint }) => (
          <KeySection call={call} own={own} endpoint={endpoint} />
        ))}
      </div>
    );
  return { kind: 'page', title: 'Keys and secrets', body };
}

function endpointOf(call: PortalCall, { id }: OwnKey): Promise<PortalEndpoint | null> {
  return call.may('endpoint') ? call.own.endpoint(id) : Promise.resolve(null);
}

interface KeySectionProps {
  readonly call: PortalCall;
  readonly own: OwnKey;
  readonly endpoint: PortalEndpoint | null;
  /** Whether the section is on the page of the key. */
  readonly isAlone?: boolean;
}

function KeySection({ call, own, endpoint, isAlone = false }: KeySectionProps) {
  const { id, environment, secrets } = own;
  return (
    <Section
      title={environment === 'production' ? 'Production: real jobs and candidates' : 'Sandbox: for tests'}
    >
      <SecretsTable
        secrets={secrets}
        caption="API keys, newest first. Expired and revoked ones do not work. The time of the last use is precise to a minute"
        empty="No API key works. Ask the support for a new one."
        more={call.may('rotateKey') && secrets.some(isOld) ? [stopColumn(call, own)] : []}
      />
      {secrets.some(isOld) ? (
        <p class="hint">
          To see that your system uses the new API key, look at its “Last used”. Then the old one may stop.
        </p>
      ) : null}
      <div class="actions">
        {call.may('rotateKey') ? (
          <ActionButton action={call.at(`/keys/${id}/rotate`)} label={`Rotate the ${environment} API key…`} />
        ) : null}
        {isAlone ? null : (
          <a href={call.at(`/keys/${id}`)}>{`Companies whose ${environment} jobs you see`}</a>
        )}
      </div>
      {endpoint === null ? null : (
        <>
          <h3>Webhooks</h3>
          <SigningSecrets secrets={endpoint.signingSecrets} />
          <p>
            <MaybeLink href={call.link('endpoints', `/${id}`)}>
              {`The ${environment} endpoint, where you rotate its signing secret`}
            </MaybeLink>
          </p>
        </>
      )}
    </Section>
  );
}

function limitText({ perMinute, isPerCompany, inBootstrap, usual }: RouteLimit): string {
  const own = `${perMinute}${isPerCompany ? ' for each company' : ''}${usual === null ? '' : `, usually ${usual}`}`;
  return inBootstrap === null ? own : `${own}, and ${inBootstrap} while it has a higher limit`;
}

async function showKey(call: PortalCall): Promise<PageContent> {
  const key = await findChosenKey(call, 'id');
  const { id, environment, createdAt } = key;
  const cursor = cursorOf(call.query);
  const companies = (await call.own.companies(id, { cursor })) ?? { items: [], nextCursor: null };
  const body = (
    <>
      <KeySection call={call} own={key} endpoint={await endpointOf(call, key)} isAlone />
      <Section title={LABELS.all.companies}>
        <DataTable<SeenCompany>
          caption="Companies that work with you. You see their open jobs, and may submit candidates to them"
          empty="No company works with you yet, so GET /jobs returns no job. Ask the support which companies you get."
          rows={companies.items}
          columns={[
            { header: LABELS.one.company, cell: ({ companyName }) => companyName },
            { header: 'Since', cell: ({ grantedAt }) => <Time at={grantedAt} /> },
            {
              header: 'Higher limit until',
              cell: ({ bootstrapUntil }) => <Time at={bootstrapUntil} />,
            },
            { header: LABELS.id, cell: ({ companyId }) => <Id value={companyId} /> },
          ]}
        />
        <ListPager call={call} path={`/keys/${id}`} next={companies.nextCursor} />
      </Section>
      <Section title="Requests in a minute">
        {adviceOnLimits(call, key).map(({ tone, text }) => (
          <Note tone={tone}>{text}</Note>
        ))}
        <FactList facts={key.limits.map((limit) => [limit.route, limitText(limit)] as const)} />
        <p class="hint">Beyond it, the answer is 429, and its header Retry-After says how long to wait.</p>
      </Section>
      <Section title={LABELS.one.key}>
        <FactList
          facts={[
            [LABELS.environment, environmentName(environment)],
            [LABELS.issuedAt, <Time at={createdAt} />],
            [LABELS.id, <Id value={id} />],
          ]}
        />
      </Section>
    </>
  );
  const crumbs = [{ label: 'Keys and secrets', href: call.at('/keys') }];
  return { kind: 'page', title: `Your ${environment} key`, crumbs, body };
}

const rotate = definePortalAct<OwnKey>({
  back: (call) => call.at('/keys'),
  find: (call) => findChosenKey(call, 'id'),
  ask: (key) => ({
    title: `Rotate the ${key.environment} API key?`,
    text: 'You see the new API key once, on the next page. Put it into your system before the old one stops working. If somebody else may have the old one, let it stop now.',
    facts: [
      [LABELS.environment, environmentName(key.environment)],
      [LABELS.lastUsedAt, <Time at={lastUseOf([key])} />],
    ],
    ...askOverlap(
      currentSecretOf(key)?.lastFour ?? '',
      'How long the old API key continues to work',
      'Stop the old key now (requests with it fail)',
    ),
  }),
  once: rotatedAlready('API key'),
  run: async ({ id, environment }, call) => {
    const rotation = readRotation(call.form);
    const { secret } = await call.own.rotateKey({ keyId: id, ...rotation });
    return secretPage({
      title: 'New API key',
      text: 'Send it with each request, in the header Authorization: Bearer.',
      facts: [
        [LABELS.environment, environmentName(environment)],
        ['Old API key', overlapFact(rotation.overlapMs, ['works', 'does not work'])],
      ],
      secrets: [[LABELS.key.apiKey, secret]],
      crumbs: [{ label: 'Keys and secrets', href: call.at('/keys') }],
      next: { label: 'I have saved it: back to the keys', href: call.at('/keys') },
    });
  },
});

type SecretOfKey = OwnKey['secrets'][number];

function isOld({ state }: SecretOfKey): boolean {
  return state === 'replaced';
}

/** A button beside each old API key that still works. */
function stopColumn(call: PortalCall, { id }: OwnKey): Column<SecretOfKey> {
  return {
    header: 'Stop it',
    cell: (secret) =>
      isOld(secret) ? (
        <ActionButton
          action={call.at(`/keys/${id}/stop-old`)}
          label={`Stop …${secret.lastFour} now…`}
          fields={{ secret: secret.lastFour }}
        />
      ) : null,
  };
}

const stopOld = definePortalAct<{ readonly own: OwnKey; readonly secret: SecretOfKey }>({
  back: (call) => call.at('/keys'),
  find: async (call) => {
    const own = await findChosenKey(call, 'id');
    const lastFour = call.form.text('secret');
    const secret = own.secrets.find((each) => isOld(each) && each.lastFour === lastFour);
    if (secret === undefined || currentSecretOf(own)?.state !== 'current')
      throw new RefusedAct('secret-ended');
    return { own, secret };
  },
  ask: ({ own, secret }) => ({
    title: `Stop the old ${own.environment} API key now?`,
    text: 'Requests with it fail from then on. If the new API key was used since, your system has changed to it.',
    facts: [
      ['Old API key', <code>{`${secret.prefix}…${secret.lastFour}`}</code>],
      [LABELS.lastUsedAt, <Time at={secret.lastUsedAt} isExact />],
      ['New API key last used', <Time at={currentSecretOf(own)?.lastUsedAt ?? null} isExact />],
      ['Otherwise stops', <Time at={secret.expiresAt} isExact />],
    ],
    confirm: 'Stop it now',
    isFinal: true,
  }),
  run: async ({ own, secret }, call) => {
    await call.own.stopOldSecret(own.id, secret.lastFour);
    return 'own-key-stopped';
  },
});

/** The partner's keys, their secrets, and the companies whose jobs they see. */
export const portalKeysScreen: PortalScreen = {
  name: 'keys',
  label: 'Keys and secrets',
  path: '/keys',
  rights: ['keys'],
  pages: { '/keys': showKeys, '/keys/:id': showKey },
  actions: { '/keys/:id/rotate': rotate, '/keys/:id/stop-old': stopOld },
};
