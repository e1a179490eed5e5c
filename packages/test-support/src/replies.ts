import type { Reply } from './partner.js';

/** The ids of the rows of a list. */
export function ids(reply: Reply): string[] {
  return (reply.json.data as { id: string }[]).map(({ id }) => id);
}

/** The validation errors as `field: code`. */
export function fieldErrors(reply: Reply): string[] {
  const { errors } = reply.json.details as { errors: { field: string; code: string }[] };
  return errors.map(({ field, code }) => `${field}: ${code}`);
}

/** The status and error code of a reply. */
export function outcomeOf({ status, json }: Reply): readonly unknown[] {
  return [status, json.error];
}

/** The rate headers: limit, remaining, reset. */
export function rateOf({ headers }: Reply): readonly number[] {
  return ['limit', 'remaining', 'reset'].map((part) =>
    Number(headers.get(`x-ratelimit-${part}`) ?? Number.NaN),
  );
}
