import type { KeyId, OwnKey } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import {
  CurrentField,
  OverlapField,
  overlapFact,
  readCurrent,
  readOverlap,
  secretPage,
} from '../../screens/parts/secret-page.js';
import { DataTable } from '../../view/data-table.js';
import { MaybeLink, Section, Time } from '../../view/parts.js';
import { definePortalAct, type PortalCall, type PortalScreen } from '../portal-call.js';

const findKey = ({ own, param }: PortalCall) => mustFind(own.key(param('id') as KeyId));

const pageOf = (call: PortalCall) => call.at(`/keys/${encodeURIComponent(call.param('id'))}`);

/** The keys of the partner and their secrets. */
export const portalKeysScreen: PortalScreen = {
  name: 'keys',
  label: 'Keys',
  path: '/keys',
  rights: ['keys'],
  pages: {
    '/keys': async ({ own, link }) => {
      const body = (
        <Section title="Keys">
          <DataTable
            caption="Your keys, one for each environment"
            empty="You have no key yet."
            rows={await own.keys()}
            columns={[
              {
                header: 'Environment',
                cell: ({ id, environment }) => (
                  <MaybeLink href={link('keys', `/${id}`)}>{environment}</MaybeLink>
                ),
              },
              { header: 'Issued', cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        </Section>
      );
      return { kind: 'page', title: 'Keys', body };
    },
    '/keys/:id': async (call) => {
      const key = await findKey(call);
      const { environment } = key;
      const crumbs = [{ label: 'Keys', href: call.at('/keys') }];
      const title = `The ${environment} key`;
      return { kind: 'page', title, crumbs, body: <KeyBody call={call} of={key} /> };
    },
  },
  actions: {
    '/keys/:id/rotate': definePortalAct<OwnKey>({
      back: pageOf,
      find: findKey,
      ask: ({ environment }, { form }) => ({
        title: 'Make a new secret?',
        text: 'You see the new secret once, on the next page.',
        facts: [
          ['Key', environment],
          ['Old secrets', overlapFact(readOverlap(form), 'work')],
        ],
        confirm: 'Make the secret',
      }),
      run: async ({ id }, call) => {
        const overlapMs = readOverlap(call.form);
        const { secret } = await call.own.rotateKey({
          keyId: id,
          overlapMs,
          ifCurrent: readCurrent(call.form),
        });
        return secretPage({
          title: 'The new secret',
          text: 'Put it into the settings of your system.',
          secrets: [['Secret', secret]],
          crumbs: [{ label: 'Back', href: pageOf(call) }],
          next: { label: 'Back to the key', href: pageOf(call) },
        });
      },
      once: () => ({
        code: 'SECRET_REPLACED',
        title: 'A new secret was made already',
        text: 'Nothing was changed. The new secret was shown once.',
      }),
    }),
  },
};

function KeyBody({ call, of: { id, secrets } }: { readonly call: PortalCall; readonly of: OwnKey }) {
  return (
    <>
      <Section title="Secrets">
        <DataTable
          caption="The secrets of this key, newest first"
          empty="This key has no secret."
          rows={secrets}
          columns={[
            { header: 'Secret', cell: ({ prefix, lastFour }) => `${prefix}…${lastFour}` },
            { header: 'State', cell: ({ state }) => state },
            { header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          ]}
        />
      </Section>
      {call.may('rotateKey') ? (
        <Section title="New secret">
          <form class="inline" method="post" action={call.at(`/keys/${id}/rotate`)}>
            <CurrentField value={secrets[0]?.lastFour ?? ''} />
            <OverlapField label="Old secrets work for" />
            <button type="submit" class="secondary">
              Make a new secret…
            </button>
          </form>
        </Section>
      ) : null}
    </>
  );
}
