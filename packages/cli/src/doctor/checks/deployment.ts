import { silenceText, standingOf } from '@partner-hiring/core';
import { onStorage } from '../check.js';
import { failed, ok } from '../report.js';

const LOOKED_AT = 100;

/** Does the process send, or does the database belong to another deployment? */
export const DEPLOYMENT_CHECK = onStorage('deployment', async ({ direct }, { deployment }) => {
  const named = await direct.deployment.find();
  const endpoints = await direct.endpoints.list({ after: null, limit: LOOKED_AT });
  if (named === null && endpoints.length === 0)
    return ok(
      'The database has no endpoint and no name. The first process that opens it with a name names it.',
    );
  const text = silenceText(standingOf(deployment, named));
  if (text !== null) {
    return failed(
      text,
      'Decide whether this database is a copy: see docs/copies.md. The doctor needs PARTNER_HIRING_DEPLOYMENT as the processes do.',
    );
  }
  if (named !== null) return ok(`The database belongs to ${named.name}, and this process too.`);
  const names = await direct.names.ofKeys(endpoints.map(({ keyId }) => keyId));
  if (!names.some((key) => key?.environment === 'production'))
    return ok('The database has no name, and no production endpoint.');
  // Not a warning: without names, everything works as on one database.
  return ok(
    'The database has production endpoints and no name, so a copy of it would write to real partners. To change that, run ' +
      '`partner-hiring deployment rename production`, and set PARTNER_HIRING_DEPLOYMENT=production in every process.',
  );
});
