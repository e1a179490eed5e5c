import type { Optional, SelfServiceOptions } from '@partner-hiring/core';
import { offersEndpoint } from '@partner-hiring/core/contract';
import { OPERATIONS } from '../openapi/webhook-endpoint.js';

/** Matches a part that only partners of a host with this feature read: events, the endpoint, or one of its rights. */
const CONDITIONAL = /<!-- if (\w+) -->\n(.*?)<!-- \/if -->\n\n?/gs;

/** The right that each route needs, such as `GET /webhook-endpoint`. */
const RIGHTS = new Map(
  OPERATIONS.map(({ method, path, right }) => [`${method.toUpperCase()} ${path}`, right]),
);

/** Matches a row about a route of `/webhook-endpoint`. */
const ROUTE_ROW = /^\| `([A-Z]+ \/webhook-endpoint[^` ]*)` \|.*\n/gm;

const IF_OFFERED = /If the operator of the service offers it, (\S)/g;

/** Leaves out what the host does not offer, and states the rest as a fact. */
export function onlyOffered(text: string, selfService: Optional<SelfServiceOptions>): string {
  const rights = new Set<keyof SelfServiceOptions>(['events', ...RIGHTS.values()]);
  const offered = new Map<string, boolean>([...rights].map((right) => [right, selfService[right] === true]));
  offered.set('selfManaged', offersEndpoint(selfService));
  const isOffered = (name: string): boolean => {
    const is = offered.get(name);
    if (is === undefined) throw new Error(`There is nothing named ${name} to offer.`);
    return is;
  };
  const parts = text.replaceAll(CONDITIONAL, (_, name: string, part: string) =>
    isOffered(name) ? `${asFact(part).trimEnd()}\n\n` : '',
  );
  return parts.replaceAll(ROUTE_ROW, (row, route: string) => {
    const right = RIGHTS.get(route);
    if (right === undefined) throw new Error(`There is no route ${route}.`);
    return isOffered(right) ? row : '';
  });
}

function asFact(part: string): string {
  return part
    .replaceAll(IF_OFFERED, (_, next: string) => next.toUpperCase())
    .replaceAll(' Otherwise it returns 404.', '');
}
