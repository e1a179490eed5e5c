const OWN_SCOPE = '@partner-hiring/';

type Ranges = Readonly<Record<string, string>>;

/** Returns a manifest with the version, and with the same version of our other packages. */
export function releaseManifest(text: string, version: string): string {
  const manifest = JSON.parse(text) as Record<string, unknown>;
  for (const field of ['dependencies', 'peerDependencies', 'devDependencies']) {
    const ranges = manifest[field] as Ranges | undefined;
    if (ranges === undefined) continue;
    manifest[field] = Object.fromEntries(
      Object.entries(ranges).map(([name, range]) => [name, name.startsWith(OWN_SCOPE) ? version : range]),
    );
  }
  return `${JSON.stringify({ ...manifest, version }, null, 2)}\n`;
}

const UNRELEASED = /^## \[Unreleased\]\n+(?:To be released as [^\n]+\n+)?/m;

/**
 * Returns the changelog with the unreleased changes under the version's heading.
 *
 * @throws if it has no unreleased changes: a release that changes nothing is a mistake.
 */
export function releaseChangelog(text: string, version: string, date: string): string {
  const [before, after = ''] = text.split(UNRELEASED);
  if (before === text || !/^### /.test(after)) {
    throw new Error('CHANGELOG.md has no changes under "## [Unreleased]". List them there first.');
  }
  return `${before}## [Unreleased]\n\n## [${version}] - ${date}\n\n${after}`;
}
