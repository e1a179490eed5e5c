import type { CandidateRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import { prepareClearing } from './clear-source-ids.js';
import { prepareErasing } from './erase-candidates.js';
import { prepareTraces } from './find-traces.js';
import { prepareCandidateLists, prepareEmailLists } from './list-candidates.js';

export const prepareCandidates: Prepare<CandidateRepository> = (preparation) => {
  const bindLists = prepareCandidateLists(preparation);
  const bindEmails = prepareEmailLists(preparation);
  const bindTraces = prepareTraces(preparation);
  const bindErasing = prepareErasing(preparation);
  const bindClearing = prepareClearing(preparation);

  return (session) => ({
    ...bindLists(session),
    ...bindEmails(session),
    ...bindTraces(session),
    ...bindErasing(session),
    ...bindClearing(session),
  });
};
