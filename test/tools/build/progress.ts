/** Returns a function that prints what has ended, with the seconds since the start. */
export function createProgress(): (what: string) => void {
  const started = performance.now();
  return (what) => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${what}`);
}
