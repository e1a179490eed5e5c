import type { Optional, SelfServiceOptions } from '@partner-hiring/core';

/** Matches a part that only partners of a host with this feature read. */
const CONDITIONAL = /<!-- if (events|endpoint) -->\n(.*?)<!-- \/if -->\n\n?/gs;

const IF_OFFERED = /If the operator of the service offers it, (\S)/g;

/** Whether partners may do anything with `/webhook-endpoint`. */
export function offersEndpoint({ events: _, ...rights }: Optional<SelfServiceOptions>): boolean {
  return Object.values(rights).includes(true);
}

/** Leaves out what the host does not offer, and states the rest as a fact. */
export function onlyOffered(text: string, selfService: Optional<SelfServiceOptions>): string {
  const offered = { events: selfService.events === true, endpoint: offersEndpoint(selfService) };
  return text.replaceAll(CONDITIONAL, (_, name: keyof typeof offered, part: string) =>
    offered[name] ? `${asFact(part).trimEnd()}\n\n` : '',
  );
}

function asFact(part: string): string {
  return part
    .replaceAll(IF_OFFERED, (_, next: string) => next.toUpperCase())
    .replaceAll(' Otherwise it returns 404.', '');
}
