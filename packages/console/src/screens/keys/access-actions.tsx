import type { AccessTarget, CompanyId, KeyId } from '@partner-hiring/core';
import type { RunAction, ScreenAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { type ActDeclaration, change, defineAct, type Question, RefusedAct } from '../parts/define-act.js';
import { findKeyOfPath } from '../parts/find-by-path.js';

/** The acts on the access of a key to companies. */
export const accessActions: Readonly<Record<string, RunAction>> = {
  '/keys/:key/grant': onAccess({
    ask: {
      title: 'Grant access to this company?',
      text: 'The key sees every open job of the company at once, and may submit candidates to it. Its endpoint gets an event for each job.',
      confirm: LABELS.button.grantAccess,
    },
    run: change('access.grant', (target) => target, 'access-granted', 'access-active'),
  }),
  '/keys/:key/revoke-access': onAccess({
    ask: {
      title: 'Revoke access to this company?',
      text: 'The key no longer sees the jobs of the company and can no longer submit to it. Its endpoint gets an event for each job. It still reads its applications.',
      confirm: LABELS.button.revokeAccess,
    },
    run: change('access.revoke', (target) => target, 'access-revoked', 'access-revoked-before'),
  }),
  '/keys/:key/bootstrap': onAccess({
    ask: {
      title: 'Allow more submissions for 24 hours?',
      text: 'The key may submit five times as many candidates a minute to this company for 24 hours. It then ends on its own.',
      confirm: 'Allow more',
    },
    run: async (target, { gate }) => {
      const { access } = await gate.call('access.raiseLimit', target);
      return ['bootstrap-until', access.bootstrapUntil ?? 0];
    },
  }),
};

interface AccessAct extends Pick<ActDeclaration<AccessTarget>, 'run'> {
  readonly ask: Omit<Question, 'facts'>;
}

function onAccess({ ask, run }: AccessAct): RunAction {
  return defineAct<AccessTarget>({
    find: ({ param, form }) => {
      const companyId = form.text('company') as CompanyId | null;
      if (companyId === null) throw new RefusedAct('enter-company');
      return { keyId: param('key') as KeyId, companyId };
    },
    ask: async ({ companyId }, call) => {
      const company = await nameOf(call, companyId);
      const { label } = await findKeyOfPath(call);
      const facts = [
        [LABELS.one.partnerKey, label],
        [LABELS.one.company, company],
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
