import type { ApplicationRecord } from '../../domain/application.js';
import type { ApplicationId } from '../../domain/ids.js';
import { OperatorError } from '../../errors.js';
import type { Scope } from '../scope.js';

/** The application, locked: moves of it take turns. @throws OperatorError `APPLICATION_NOT_FOUND`. */
export async function lockApplication({ tx }: Scope, id: ApplicationId): Promise<ApplicationRecord> {
  const [application] = await tx.applications.findForUpdate([id]);
  if (application) return application;
  const message = `There is no application ${id}. applications.list names the newest.`;
  throw new OperatorError('APPLICATION_NOT_FOUND', message);
}
