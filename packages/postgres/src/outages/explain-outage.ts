import { type Explanation, isFromServer, outageMessageOf, sqlStateOf } from './explanation.js';
import { loginProblem } from './login-problems.js';
import { networkProblem, type Problem } from './network-problems.js';
import type { Place } from './place.js';
import { explainStatement } from './statement-problems.js';
import { tlsProblem } from './tls-problems.js';

/** Explains why no connection could be opened, or none of the pool was free. */
export function explainUnreachable(error: unknown, place: Place): Explanation {
  if (POOL_HAS_ENDED.test(outageMessageOf(error))) return ENDED_POOL;
  const { problem, fix } = problemOf(error, place);
  return { finding: `Cannot connect to ${place.name}: ${problem}.`, fix };
}

/** Returns the problem alone, for a list of servers. */
export function problemOf(error: unknown, place: Place): Problem {
  if (isFromServer(error)) return loginProblem(error, place);
  return (
    tlsProblem(error, place) ??
    networkProblem(error, place) ?? {
      problem: place.redact(outageMessageOf(error)),
      fix: 'Fix the reported cause.',
    }
  );
}

/** Explains an error of a connection that was open. */
export function explainInterrupted(error: unknown, place: Place): Explanation {
  return (
    explainStatement(error, place) ?? {
      finding: `An error of ${place.name}: ${place.redact(outageMessageOf(error))}${sqlStateOf(error) === '' ? '' : ` (${sqlStateOf(error)})`}.`,
      fix: 'Fix the reported cause. The log of the server may say more.',
    }
  );
}

/**
 * Matches the message of a pool that was ended. It compares the message, because `pg` gives its own errors no
 * code.
 */
const POOL_HAS_ENDED = /^Cannot use a pool after calling end/;

const ENDED_POOL: Explanation = {
  finding: 'The pool was ended while the storage was using it.',
  fix: 'Restart this process. In future, end your pool only after `await partnerHiring.close()`.',
};
