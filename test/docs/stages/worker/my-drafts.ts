/** How many drafts each call was asked to delete. */
export const asked: number[] = [];

/** Deletes nothing the second time. */
export async function deleteOldDrafts({ limit }: { readonly limit: number }): Promise<number> {
  asked.push(limit);
  return asked.length === 1 ? limit : 0;
}
