import { type EndpointView, hideQuery } from '@partner-hiring/core';

/** Hides the query of the URL of each endpoint, wherever a result has one. */
export function hideQueries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideQueries);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hideQueries(field)]));
  return 'replacedUrl' in value ? hideQuery(fields as Pick<EndpointView, 'url' | 'replacedUrl'>) : fields;
}
