/** Counts the turns that the event loop takes until `end`, which answers them: what others' requests could use. */
export function countTurns(): { readonly end: () => number } {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  return {
    end: () => {
      clearImmediate(next);
      return turns;
    },
  };
}
