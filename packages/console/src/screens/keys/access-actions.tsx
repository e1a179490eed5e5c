import type { AccessTarget, CompanyId, KeyId } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import type { RunAction, ScreenAction } from '../../http/screen.js';
import { type ActDeclaration, defineAct, type Question, RefusedAct } from '../parts/define-act.js';

/** The acts on the access of a key to companies. */
export const accessActions: Readonly<Record<string, RunAction>> = {
  '/keys/:key/grant': onAccess({
    ask: {
      title: 'Grant access to this company?',
      text: 'The key sees every open job of the company at once, and may submit candidates to it. Its endpoint gets an event for each job.',
      confirm: 'Grant access',
    },
    run: async (target, { gate }) =>
      (await gate.call('access.grant', target)).changed ? 'access-granted' : 'access-active',
  }),
  '/keys/:key/revoke-access': onAccess({
    ask: {
      title: 'Revoke access to this company?',
      text: 'The key no longer sees the jobs of the company and can no longer submit to it. Its endpoint gets an event for each job. It still reads its applications.',
      confirm: 'Revoke access',
    },
    run: async (target, { gate }) =>
      (await gate.call('access.revoke', target)).changed ? 'access-revoked' : 'access-revoked-before',
  }),
  '/keys/:key/bootstrap': onAccess({
    ask: {
      title: 'Allow more submissions for 24 hours?',
      text: 'The key may submit five times as many candidates a minute to this company for 24 hours. It then ends on its own.',
      confirm: 'Turn bootstrap on',
    },
    run: async (target, { gate }) => {
      const { access } = await gate.call('access.enableBootstrap', target);
      return ['bootstrap-until', access.bootstrapUntil ?? 0];
    },
  }),
};

function onAccess({
  ask,
  run,
}: Pick<ActDeclaration<AccessTarget>, 'run'> & { readonly ask: Omit<Question, 'facts'> }): RunAction {
  return defineAct<AccessTarget>({
    back: (call) => call.at(`/keys/${encodeURIComponent(call.param('key'))}`),
    find: ({ param, form }) => {
      const companyId = form.text('company') as CompanyId | null;
      if (companyId === null) throw new RefusedAct('enter-company');
      return { keyId: param('key') as KeyId, companyId };
    },
    ask: async ({ keyId, companyId }, call) => {
      const company = await nameOf(call, companyId);
      const facts = [
        ['Partner key', await labelOf(call, keyId)],
        ['Company', company],
      ] as const;
      return { ...ask, facts };
    },
    run,
  });
}

/** The id if the actor may not read companies. */
async function nameOf({ gate }: ScreenAction, id: CompanyId): Promise<string> {
  if (!gate.may('companies:read')) return id;
  const company = await gate.call('companies.find', { id });
  if (company === null) throw new RefusedAct('company-unknown');
  return `${company.name} (${company.environment})`;
}

async function labelOf({ gate }: ScreenAction, keyId: KeyId): Promise<string> {
  const found = await gate.call('keys.find', { keyId });
  if (found === null) throw new NothingHere();
  return found.label;
}
