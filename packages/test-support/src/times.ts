/** Runs `act` the given number of times in sequence. Returns all results. */
export async function times<T>(count: number, act: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await act());
  return results;
}
