import type { ApplicationRecord, KeyId, Repositories } from '@partner-hiring/core/ports';

/** What a partner that keeps a copy saw, and the stamp from which it would go on. */
interface Followed {
  readonly ids: readonly ApplicationRecord['id'][];
  readonly after: number | null;
}

/** The next page of a key's applications, changed after that stamp. */
export async function readFeed(
  { applications }: Repositories,
  keyId: KeyId,
  after: number | null = null,
): Promise<Followed> {
  const query = { keyId, updatedSince: null, companyId: null, status: null, limit: 200, after };
  const { rows } = await applications.page(query);
  return { ids: rows.map(({ id }) => id), after: rows.at(-1)?.changedAt ?? after };
}

/** Follows a key's applications page by page until the writers have ended, and once more; all ids that it saw. */
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

/** Lets some time pass. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
