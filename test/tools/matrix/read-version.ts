/** Returns the version argument, such as `24` or `14.3`. Exits with usage if it is missing. */
export function readVersion(positionals: readonly string[], ofWhat: string): string {
  const [version, ...rest] = positionals;
  if (version !== undefined && /^\d+(\.\d+){0,2}$/.test(version) && rest.length === 0) return version;
  console.error(`Name a version of ${ofWhat}`);
  process.exit(2);
}
