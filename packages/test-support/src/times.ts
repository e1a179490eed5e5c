/** Runs work several times in sequence. */
export async function times<T>(count: number, act: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await act());
  return results;
}
