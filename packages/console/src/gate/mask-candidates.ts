import { type ApplicationRecord, maskApplication } from '@partner-hiring/core';

/**
 * Masks each candidate in a result: an application, a page of applications, the result of a change to an
 * application, or of a search.
 */
export function maskCandidates(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(maskCandidates);
  if (typeof result !== 'object' || result === null) return result;
  if (isApplication(result)) return maskApplication(result);
  if ('items' in result) return { ...result, items: maskCandidates(result.items) };
  if ('application' in result) return { ...result, application: maskCandidates(result.application) };
  if ('people' in result && 'applications' in result) {
    const { people, applications } = result;
    return { ...result, people: maskCandidates(people), applications: maskCandidates(applications) };
  }
  return result;
}

function isApplication(value: object): value is ApplicationRecord {
  return 'candidate' in value && 'answers' in value && 'resume' in value;
}
