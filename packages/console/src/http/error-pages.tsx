import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { NothingHere } from '../gate/refusals.js';
import type { PagesOptions } from '../options.js';
import { Prose } from '../view/prose.js';
import { ActorUnknown } from './read-actor.js';
import type { PageContent } from './screen.js';

/** Only the address says what a page shows. The message of the command names fields that its reader does not see. */
const WRONG_ADDRESS =
  'The address has a value that this page does not know, or that belongs to another list. Open the page from the menu.';

/** Explains an error to the person. Logs errors that the person did not cause. */
export function pageOfError(
  error: unknown,
  { logger, kind }: Pick<PagesOptions, 'logger'> & { readonly kind: 'console' | 'portal' },
  where: { readonly method: string; readonly route: string },
): PageContent {
  if (error instanceof NothingHere) return notFoundPage();
  if (error instanceof OperatorError) {
    if (error.code !== 'INVALID_INPUT' || where.method === 'POST') return pageOfOperatorError(error);
    return errorPage(400, 'That was not understood', WRONG_ADDRESS);
  }
  const id = crypto.randomUUID();
  logger.error({ errorId: id, ...where, err: error }, `The ${kind} could not answer a request.`);
  if (error instanceof ActorUnknown) {
    const text = `The ${kind} could not find out who you are. The reason is in the log of the server.`;
    return errorPage(503, 'Sign-in unavailable', text, id);
  }
  if (error instanceof StorageUnavailable) {
    const done = error.mayBeDone
      ? 'It is unknown whether your change was made: check before you repeat it.'
      : 'Nothing was changed.';
    return errorPage(503, 'Database unavailable', `The database does not answer. ${done}`, id);
  }
  return errorPage(500, 'Something went wrong', 'The reason is in the log of the server.', id);
}

/** The page for an object that does not exist, or that the actor may not see. */
export function notFoundPage(): PageContent {
  return errorPage(404, 'Not found', 'There is nothing here, or your rights do not cover it.');
}

/** Explains why the operator refused a command. */
export function pageOfOperatorError({ code, message }: OperatorError): PageContent {
  if (code.endsWith('_NOT_FOUND') || code === 'NEEDS_ALL_PARTNERS') return notFoundPage();
  if (code === 'CREDENTIAL_ENDED') return errorPage(401, 'You are signed out', 'Nothing was changed.');
  if (code === 'RATE_LIMITED') return errorPage(429, 'Too many at once', message);
  if (code === 'RIGHT_MISSING') return errorPage(403, 'Not allowed', message);
  if (code === 'INVALID_INPUT') {
    // Without the name of the command, whose sentences the page leaves out.
    return errorPage(400, 'That was not understood', message.replace(/^\w+\.\w+: /, ''));
  }
  return errorPage(409, 'That is not possible', message);
}

/** A page that explains why a request failed. */
export function errorPage(
  status: NonNullable<PageContent['status']>,
  title: string,
  text: string,
  errorId: string | null = null,
): PageContent {
  const body = (
    <section class="card">
      <p>
        <Prose text={text} />
      </p>
      {errorId === null ? null : (
        <p>
          Error id: <code>{errorId}</code>
        </p>
      )}
    </section>
  );
  return { kind: 'page', title, body, status };
}
