import type { ApplicationRecord, KeyId, Repositories } from '@partner-hiring/core/ports';

interface Followed {
  readonly ids: readonly ApplicationRecord['id'][];
  readonly after: number | null;
}

export async function readFeed(
  { applications }: Repositories,
  keyId: KeyId,
  after: number | null = null,
): Promise<Followed> {
  const query = { keyId, updatedSince: null, companyId: null, status: null, limit: 200, after };
  const { rows } = await applications.page(query);
  return { ids: rows.map(({ id }) => id), after: rows.at(-1)?.changedAt ?? after };
}

/** Follows a key's applications until the writers finish, and returns all ids. */
export async function followFeed(
  repositories: Repositories,
  keyId: KeyId,
  writers: Promise<unknown>,
): Promise<readonly ApplicationRecord['id'][]> {
  let isWriting = true;
  const ended = writers.finally(() => {
    isWriting = false;
  });
  const followed: ApplicationRecord['id'][] = [];
  let after: number | null = null;
  for (let isLast = false; !isLast; ) {
    isLast = !isWriting;
    const page: Followed = await readFeed(repositories, keyId, after);
    followed.push(...page.ids);
    after = page.after;
    await pause(1);
  }
  await ended;
  return followed;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
