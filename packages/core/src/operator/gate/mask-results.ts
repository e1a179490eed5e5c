import type { ApplicationRecord } from '../../domain/application.js';
import { type Endpoint, hideQuery } from '../../domain/endpoint.js';
import { maskApplication } from '../../domain/mask-application.js';

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

/** Hides the query of the URL of each endpoint, wherever a result has one. */
export function hideQueries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideQueries);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hideQueries(field)]));
  return 'replacedUrl' in value ? hideQuery(fields as Pick<Endpoint, 'url' | 'replacedUrl'>) : fields;
}
