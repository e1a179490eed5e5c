import { CONSOLE_RIGHTS, type Console, createConsole, createOneTimeLogin } from '@partner-hiring/console';
import type { ExamplePartnerHiring } from './open-partner-hiring.js';

/** The console of this machine, and links to it. */
export interface LocalConsole {
  readonly console: Console;
  /** The console's path. Programs on other ports must not learn it. */
  readonly path: string;
  /** Returns a link that signs in once, under this origin only. */
  createLink(origin: string): string;
}

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/**
 * Creates the console for whoever reads this terminal. Null if the server is reachable from other machines: a real host
 * connects its own sign-in.
 */
export function createLocalConsole({ operator }: ExamplePartnerHiring, host: string): LocalConsole | null {
  if (!LOOPBACK.includes(host)) return null;
  const login = createOneTimeLogin({
    actor: { id: 'local', name: 'Local operator', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' },
  });
  const { actor, signIn, signOut, path, createLink } = login;
  return { console: createConsole({ operator, actor, signIn, signOut, path }), path, createLink };
}
