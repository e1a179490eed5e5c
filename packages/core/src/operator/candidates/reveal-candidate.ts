import type { ApplicationId } from '../../domain/ids.js';
import type { CommandContext } from '../command/definition.js';
import { applicationNotFound } from '../find-or-throw.js';
import { recordAct } from '../scope.js';
import { type CandidateApplication, describeApplications } from './describe-application.js';

/** The application whose candidate to show. */
export interface RevealTarget {
  readonly applicationId: ApplicationId;
}

/** Returns an application with its candidate, and records who saw it. An erased candidate has nothing to see. */
export async function revealCandidate(
  { commit }: CommandContext,
  { applicationId }: RevealTarget,
): Promise<CandidateApplication> {
  return commit(async (scope) => {
    const found = await scope.tx.applications.find([applicationId]);
    const [described] = await describeApplications(
      scope.tx,
      found.flatMap((application) => application ?? []),
    );
    if (described === undefined) throw applicationNotFound(applicationId);
    if (described.erasedAt === null) {
      recordAct(scope, {
        objects: [{ kind: 'application', id: applicationId }],
        keyId: described.keyId,
      });
    }
    return described;
  });
}
