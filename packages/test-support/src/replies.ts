import type { Reply } from './partner.js';

/** The ids of the rows of a list. */
export function ids(reply: Reply): string[] {
  return (reply.json.data as { id: string }[]).map(({ id }) => id);
}

/** What a validation error says: `field: code` each. */
export function fieldErrors(reply: Reply): string[] {
  const { errors } = reply.json.details as { errors: { field: string; code: string }[] };
  return errors.map(({ field, code }) => `${field}: ${code}`);
}

/** The status of a reply, and the code of its error. */
export function outcomeOf({ status, json }: Reply): readonly unknown[] {
  return [status, json.error];
}

/** Where a reply's bucket stands: limit, remaining, reset. */
export function rateOf({ headers }: Reply): readonly number[] {
  return ['limit', 'remaining', 'reset'].map((part) =>
    Number(headers.get(`x-ratelimit-${part}`) ?? Number.NaN),
  );
}
