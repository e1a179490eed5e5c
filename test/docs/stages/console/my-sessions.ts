/** A person of the host's staff. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly isAdmin: boolean;
}

/** Finds the user of a session cookie, as the host's own sign-in does. */
export async function findUser(cookie: string | null): Promise<User | null> {
  if (cookie === 'session=ada') return { id: 'user_42', name: 'Ada', isAdmin: true };
  return cookie === 'session=bo' ? { id: 'user_43', name: 'Bo', isAdmin: false } : null;
}
