import type { CompanyId, KeyId } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import type { DoneName } from '../../http/notices.js';
import type { PageContent, Redirection, RunAction, ScreenAction } from '../../http/screen.js';
import { type Confirmation, confirmationPage } from '../../view/forms.js';
import { explainRefusal, toDone, toRefused } from '../parts/after-act.js';

/** The acts on the access of a key to companies. */
export const accessActions: Readonly<Record<string, RunAction>> = {
  '/keys/:key/grant': grant,
  '/keys/:key/revoke-access': revokeAccess,
  '/keys/:key/bootstrap': bootstrap,
};

function pageOf(call: ScreenAction): string {
  return call.at(`/keys/${encodeURIComponent(call.param('key'))}`);
}

/** What an act on access needs. */
interface AccessAct {
  readonly ask: Pick<Confirmation, 'title' | 'text' | 'confirm'>;
  /** Acts, and says what was done. */
  readonly run: (target: {
    readonly keyId: KeyId;
    readonly companyId: CompanyId;
  }) => Promise<DoneName | readonly [name: DoneName, number: number]>;
}

/** The actor may not read companies. */
const UNNAMED = { name: '', environment: 'production' } as const;

/** Asks, then acts. */
async function onAccess(call: ScreenAction, { ask, run }: AccessAct): Promise<PageContent | Redirection> {
  const keyId = call.param('key') as KeyId;
  const companyId = call.form.text('company') as CompanyId | null;
  if (companyId === null) return toRefused(pageOf(call), 'enter-company');
  if (!call.isConfirmed) {
    const company = call.gate.may('companies:read')
      ? await call.gate.call('companies.find', { id: companyId })
      : UNNAMED;
    if (company === null) return toRefused(pageOf(call), 'company-unknown');
    return confirmationPage(call, {
      ...ask,
      facts: [
        ['Partner key', await labelOf(call, keyId)],
        ['Company', company === UNNAMED ? companyId : `${company.name} (${company.environment})`],
      ],
      back: pageOf(call),
    });
  }
  return explainRefusal(pageOf(call), async () => toDone(pageOf(call), await run({ keyId, companyId })));
}

async function labelOf({ gate }: ScreenAction, keyId: KeyId): Promise<string> {
  const found = await gate.call('keys.find', { keyId });
  if (found === null) throw new NothingHere();
  return found.label;
}

function grant(call: ScreenAction): Promise<PageContent | Redirection> {
  return onAccess(call, {
    ask: {
      title: 'Grant access to this company?',
      text: 'The key sees every open job of the company at once, and may submit candidates to it. Its endpoint gets an event for each job.',
      confirm: 'Grant access',
    },
    run: async (target) => {
      const { changed } = await call.gate.call('access.grant', target);
      return changed ? 'access-granted' : 'access-active';
    },
  });
}

function revokeAccess(call: ScreenAction): Promise<PageContent | Redirection> {
  return onAccess(call, {
    ask: {
      title: 'Revoke access to this company?',
      text: 'The key no longer sees the jobs of the company and can no longer submit to it. Its endpoint gets an event for each job. It still reads its applications.',
      confirm: 'Revoke access',
    },
    run: async (target) => {
      const { changed } = await call.gate.call('access.revoke', target);
      return changed ? 'access-revoked' : 'access-revoked-before';
    },
  });
}

function bootstrap(call: ScreenAction): Promise<PageContent | Redirection> {
  return onAccess(call, {
    ask: {
      title: 'Allow more submissions for 24 hours?',
      text: 'The key may submit five times as many candidates a minute to this company for 24 hours. It then ends on its own.',
      confirm: 'Turn bootstrap on',
    },
    run: async (target) => {
      const { access } = await call.gate.call('access.enableBootstrap', target);
      return ['bootstrap-until', access.bootstrapUntil ?? 0];
    },
  });
}
