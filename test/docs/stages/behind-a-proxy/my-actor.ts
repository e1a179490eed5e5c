import type { ConsoleActor } from '@partner-hiring/console';

/** Says who is signed in, as the host's own sign-in does. */
export function actor({ headers }: Request): ConsoleActor | null {
  if (headers.get('cookie') !== 'session=ada') return null;
  return { id: 'user_42', name: 'Ada', rights: ['system:read'], partnerIds: 'all' };
}
