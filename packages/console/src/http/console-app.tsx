import type { ConsoleActor } from '../actor.js';
import { createGate } from '../gate/gate.js';
import type { CheckedConsoleOptions } from '../options.js';
import type { ConsoleRight } from '../rights.js';
import { type AnswerRequest, createPagesApp } from './pages-app.js';
import { readConsoleActor } from './read-actor.js';
import type { Screen, ScreenCall } from './screen.js';

/** Creates the console's pages of these screens. */
export function createConsoleApp(options: CheckedConsoleOptions, screens: readonly Screen[]): AnswerRequest {
  const { operator, signIn, signOut, handOver } = options;
  return createPagesApp<ConsoleActor, ScreenCall, ConsoleRight>({
    options,
    screens,
    kind: 'console',
    name: 'Partner console',
    isForStaff: true,
    isEmbedded: false,
    enter: (request, host) => readConsoleActor(options, request, host),
    callOf: (actor, page, reason) => {
      const gate = createGate(operator, actor, reason);
      return { ...page, gate, actor, handOver };
    },
    whoIs: ({ name, partnerIds }) => (
      <>
        Signed in as <strong>{name}</strong>
        {partnerIds === 'all' ? null : `, for ${partnersText(partnerIds.length)}`}
      </>
    ),
    signIn: signIn === null ? undefined : async (request, _, { base }) => signIn(request, base),
    signOut: signOut === null ? undefined : async (request, host, { base }) => signOut(request, host, base),
  });
}

function partnersText(count: number): string {
  return count === 1 ? '1 partner' : `${count} partners`;
}
