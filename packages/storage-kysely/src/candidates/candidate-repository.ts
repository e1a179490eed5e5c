import type { CandidateRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import { prepareClearing } from './clear-source-ids.js';
import { prepareErasing } from './erase-candidates.js';
import { prepareTraces } from './find-traces.js';
import { prepareCandidateLists, prepareEmailLists } from './list-candidates.js';

export const prepareCandidates: Prepare<CandidateRepository> = (preparation) => ({
  ...prepareCandidateLists(preparation),
  ...prepareEmailLists(preparation),
  ...prepareTraces(preparation),
  ...prepareErasing(preparation),
  ...prepareClearing(preparation),
});
