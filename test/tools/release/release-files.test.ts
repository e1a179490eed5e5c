import { expect, test } from 'vitest';
import { releaseChangelog, releaseManifest } from './release-files.js';

test('a manifest gets the version, and our other packages get the same one', () => {
  const manifest = {
    name: '@partner-hiring/sqlite',
    version: '0.1.0',
    dependencies: { kysely: '^0.29.0', '@partner-hiring/node-http': '0.1.0' },
    peerDependencies: { '@partner-hiring/core': '0.1.0', 'better-sqlite3': '^12.5.0' },
  };
  expect(JSON.parse(releaseManifest(JSON.stringify(manifest), '0.2.0'))).toEqual({
    ...manifest,
    version: '0.2.0',
    dependencies: { kysely: '^0.29.0', '@partner-hiring/node-http': '0.2.0' },
    peerDependencies: { '@partner-hiring/core': '0.2.0', 'better-sqlite3': '^12.5.0' },
  });
});

test('the unreleased changes get the heading of the version', () => {
  const before = '# Changelog\n\n## [Unreleased]\n\nTo be released as 0.2.0.\n\n### Added\n\n- A thing.\n';
  expect(releaseChangelog(before, '0.2.0', '2027-01-02')).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-01-02\n\n### Added\n\n- A thing.\n',
  );
});

test.each(['# Changelog\n', '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2027-01-01\n\n### Added\n'])(
  'a changelog without unreleased changes is an error: %j',
  (text) => {
    expect(() => releaseChangelog(text, '0.2.0', '2027-01-02')).toThrow('List them there first');
  },
);
