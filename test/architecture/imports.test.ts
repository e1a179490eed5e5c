import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FEATURES } from '../../packages/core/src/features/features.js';
import { LAYERS, type Rule, TABLE } from './layers.js';
import { OWNERS, PACKAGE_TABLE } from './package-table.js';
import { declaredExportsOf, type Import, importsIn, importsOf, ROOT, sourcesOf } from './sources.js';

const CORE = 'packages/core/src/';
const NAMES = FEATURES.map(({ name }) => name);
const TEST_SUPPORT = '@partner-hiring/test-support';
const PACKAGES = readdirSync(join(ROOT, 'packages')).filter((name) =>
  existsSync(join(ROOT, 'packages', name, 'src')),
);

function isAllowed(allowed: readonly string[], target: string): boolean {
  return allowed.some((entry) => (/[/:]$/.test(entry) ? target.startsWith(entry) : target === entry));
}

function ruleOf(file: string): Rule | null {
  const matching = Object.keys(TABLE).filter((key) => isAllowed([key], file));
  const longest = matching.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? null : (TABLE[longest] ?? null);
}

/** The imports of core that its tables do not allow, as `from → to`. */
function breaches(imports: readonly Import[]): readonly string[] {
  return imports
    .map(({ from, to, typeOnly }) => ({ from: inside(from), to: inside(to), typeOnly }))
    .filter(({ from, to, typeOnly }) => {
      const layer = layerOf(from);
      if (layer !== null && isInRoom(from, to, layer.inRooms)) return false;
      const rule = layer ?? ruleOf(from);
      if (rule === null) return true;
      return !isAllowed(rule.may, to) && !(typeOnly && isAllowed(rule.mayAsTypes ?? [], to));
    })
    .map(({ from, to }) => `${from} → ${to}`);
}

/** A file in a room of core: a folder in `features` or `groups`. */
const IN_ROOM = /^((?:features|groups)\/[^/]+)\/(.+)$/;

const roomOf = (file: string): string | null => IN_ROOM.exec(file)?.[1] ?? null;

function layerOf(file: string) {
  const [, , path] = IN_ROOM.exec(file) ?? [];
  return path === undefined ? null : (Object.values(LAYERS).find(({ files }) => files.test(path)) ?? null);
}

/** Whether a file of a room imports a file of the same room, or of one that it needs, in a layer that it may import. */
function isInRoom(from: string, to: string, layers: readonly string[]): boolean {
  const room = roomOf(to);
  if (room === null || (room !== roomOf(from) && !needs(roomOf(from)).includes(room))) return false;
  return layers.some((name) => LAYERS[name] === layerOf(to));
}

/** The features that a feature needs. */
function needs(room: string | null): readonly string[] {
  return FEATURES.filter(({ name }) => room === `features/${name}`).flatMap((feature) =>
    (feature.needs ?? []).map((name) => `features/${name}`),
  );
}

function inside(path: string): string {
  return path.startsWith(CORE) ? path.slice(CORE.length) : path;
}

/** The files of a first cycle that is found, or none. */
function findCycle(imports: readonly Import[]): readonly string[] {
  const edges = new Map<string, string[]>();
  for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to]);
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of edges.get(file) ?? []) {
      const cycle = walk(next, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of edges.keys()) {
    const cycle = walk(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

describe('imports inside core', () => {
  test('run downwards only, by the table', () => {
    expect(breaches(sourcesOf('core').flatMap((file) => importsOf(file)))).toEqual([]);
  });

  test.each([
    ['domain/job.ts', "import { z } from 'zod'"],
    ['domain/job.ts', "import { createHash } from 'node:crypto'"],
    ['domain/job.ts', "import type { Clock } from '../ports/runtime.js'"],
    ['ports/storage.ts', "import { toIso } from '../domain/time.js'"],
    ['ports/storage.ts', "import { toIso, type Instant } from '../domain/time.js'"],
    ['partner/admit.ts', "import { createOperator } from '../operator/operator.js'"],
    ['groups/partners/key-commands.ts', "import type { Reply } from '../../http/reply.js'"],
    ['features/inbox/rules.ts', "import type { Clock } from '../../ports/runtime.js'"],
    ['features/inbox/rules.ts', "import { readInboxStatus } from './inbox-switch.js'"],
    ['features/sandbox/commands.ts', "import type { InboxItemId } from '../inbox/rules.js'"],
    ['operator/scope.ts', "import type { InboxItemId } from '../features/inbox/rules.js'"],
    ['worker/worker.ts', "await import('../defaults/system-runtime.js')"],
    ['http/routes/lists.ts', "import type { Operator } from '../../operator/operator.js'"],
    ['http/handler.ts', "import Fastify from 'fastify'"],
    ['http/handler.ts', "import { WIRE_SAMPLES } from '../contract/samples.js'"],
    ['index.ts', "export { WIRE_SAMPLES } from './contract/samples.js'"],
    ['defaults/phone-numbers.ts', "let a: import('../worker/worker.js').Worker"],
    ['defaults/phone-numbers.ts', "export * from '../http/wire.js'"],
    ['observe/requests.ts', "import { trace } from '@opentelemetry/api'"],
    ['observe/requests.ts', "import { createHandler } from '../http/handler.js'"],
    ['worker/delivery/sender.ts', "import { observeGroups } from '../../observe/storage.js'"],
    ['a-new-file.ts', "import '../x.js'"],
  ])('in %s, %s is a breach', (file, text) => {
    expect(breaches(importsIn(CORE + file, text))).toHaveLength(1);
  });

  test('of the table point at something that exists', () => {
    for (const part of Object.keys(TABLE)) expect(existsSync(join(ROOT, CORE, part)), part).toBe(true);
  });
});

/** The packages with a room for each feature, and the rooms that a room imports beyond what core's list says, with a reason. */
const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cli: {},
  console: {},
};

/** The imports of a package that its rooms do not allow, as `from → to`. The list is `features.ts`, its types `feature.ts`. */
function featureBreaches(
  name: string,
  imports: readonly Import[] = sourcesOf(name).flatMap((file) => importsOf(file)),
): readonly string[] {
  const room = (file: string) => featureRoomOf(name, file);
  const isAllowedRoom = (from: string | null, to: string | null) => {
    if (to === null || to === from || to === 'feature.ts' || from === 'features.ts') return true;
    if (from === null || to === 'features.ts') return from === null && to === 'features.ts';
    return [...needs(`features/${from}`), ...(ROOMS[name]?.[from] ?? [])].includes(`features/${to}`);
  };
  return imports
    .filter(({ from, to }) => !isAllowedRoom(room(from), room(to)))
    .map(({ from, to }) => `${from} → ${to}`);
}

/** The folder or the file in `features` that a file is in. Null for a file of the base. */
function featureRoomOf(name: string, file: string): string | null {
  return new RegExp(`^packages/${name}/src/features/([^/]+)`).exec(file)?.[1] ?? null;
}

describe('features', () => {
  test.each(Object.keys(ROOMS))(
    'in %s, the base imports only the list, and a room only what its feature needs',
    (name) => {
      expect(featureBreaches(name)).toEqual([]);
    },
  );

  test.each(Object.keys(ROOMS))('in %s, each room has the name of a feature, and is in the list', (name) => {
    const folder = join(ROOT, 'packages', name, 'src/features');
    const rooms = readdirSync(folder).filter((entry) => !entry.endsWith('.ts'));
    expect(rooms.filter((room) => !NAMES.includes(room))).toEqual([]);
    const listed = importsOf(`packages/${name}/src/features/features.ts`).map(({ to }) =>
      featureRoomOf(name, to),
    );
    expect(rooms.filter((room) => !listed.includes(room))).toEqual([]);
  });

  test.each([
    ['report/report.ts', "import type { A } from '../features/inbox/status.js'"],
    ['groups/jobs/job-commands.ts', "import { a } from '../../features/jobs-sync/commands.js'"],
    ['features/feature.ts', "import type { A } from './inbox/status.js'"],
    ['features/inbox/status.ts', "import { CLI_FEATURES } from '../features.js'"],
    ['features/jobs-sync/commands.ts', "import { a } from '../operations/commands.js'"],
  ])('in %s of a package, %s is a breach', (file, text) => {
    expect(featureBreaches('cli', importsIn(`packages/cli/src/${file}`, text))).toHaveLength(1);
  });

  test.each([
    ['commands/all-commands.ts', "import { CLI_FEATURES } from '../features/features.js'"],
    ['features/features.ts', "import { a } from './inbox/status.js'"],
    ['features/operations/commands.ts', "import { a } from '../jobs-sync/operation-text.js'"],
    ['features/inbox/status.ts', "import { a } from './commands.js'"],
  ])('in %s of a package, %s is allowed', (file, text) => {
    expect(featureBreaches('cli', importsIn(`packages/cli/src/${file}`, text))).toEqual([]);
  });
});

test.each(PACKAGES)('each export of %s has a name of its own', (name) => {
  // What stands in for another file in one runtime has that one's names.
  const files = sourcesOf(name).filter((file) => !file.endsWith('.node.ts'));
  const exported = files.flatMap((file) => [...new Set(declaredExportsOf(file))]);
  expect(exported.filter((each, index) => exported.indexOf(each) !== index)).toEqual([]);
});

test.each(PACKAGES)('no files of %s import one another in a circle, not even for types', (name) => {
  expect(findCycle(sourcesOf(name).flatMap((file) => importsOf(file)))).toEqual([]);
});

/** The room of a file of core. A file beside the rooms is a room of its own. */
function wholeRoomOf(file: string): string {
  const path = inside(file);
  return roomOf(path) ?? /^(?!features\/|groups\/)[^/]+(?=\/)/.exec(path)?.[0] ?? path;
}

test('each room of core is a feature of the list, behind those that it needs', () => {
  const early = FEATURES.flatMap(({ name, needs: needed = [] }, index) =>
    needed.filter((each) => !NAMES.slice(0, index).includes(each)).map((each) => `${name} needs ${each}`),
  );
  expect(early).toEqual([]);
  const rooms = readdirSync(join(ROOT, CORE, 'features')).filter((entry) => !entry.endsWith('.ts'));
  expect(NAMES.toSorted()).toEqual(rooms.toSorted());
});

test('no rooms of core run one another in a circle', () => {
  const between = sourcesOf('core')
    .flatMap((file) => importsOf(file))
    .filter(({ to, typeOnly }) => !typeOnly && to.startsWith(CORE))
    .map(({ from, to, typeOnly }) => ({ from: wholeRoomOf(from), to: wholeRoomOf(to), typeOnly }))
    .filter(({ from, to }) => from !== to);
  expect(new Set(between.map(({ from }) => from)).size).toBeGreaterThan(25);
  expect(findCycle(between)).toEqual([]);
});

test('a circle is found where there is one', () => {
  const imports = ['a→b', 'b→c', 'c→d', 'd→b'].map((pair) => {
    const [from = '', to = ''] = pair.split('→');
    return { from, to, typeOnly: false };
  });
  expect(findCycle(imports)).toEqual(['b', 'c', 'd', 'b']);
});

describe('packages', () => {
  test('all stand in the table', () => {
    expect(PACKAGES.filter((name) => PACKAGE_TABLE[name] === undefined)).toEqual([]);
  });

  test.each(PACKAGES)(
    '%s reaches no other package but those of its row, and those by their names',
    (name) => {
      const foreign = sourcesOf(name)
        .flatMap((file) => importsOf(file))
        .map(({ to }) => to)
        .filter(
          (to) => to.startsWith('packages/') || to.startsWith('..') || to.startsWith('@partner-hiring/'),
        )
        .filter((to) => !to.startsWith(`packages/${name}/src/`))
        .filter((to) => !PACKAGE_TABLE[name]?.includes(to));
      expect(foreign).toEqual([]);
    },
  );

  test.each(Object.entries(OWNERS))('%s is imported by %j alone', (library, owners) => {
    const importing = PACKAGES.filter((name) => !owners.includes(name)).flatMap((name) =>
      sourcesOf(name).flatMap((file) =>
        importsOf(file).filter(({ to }) => to === library || to.startsWith(`${library}/`)),
      ),
    );
    expect(importing).toEqual([]);
  });

  test('the webhook verifier imports nothing but itself: no library, no module of a runtime', () => {
    const outside = sourcesOf('webhook-verifier')
      .flatMap((file) => importsOf(file))
      .filter(({ to }) => !to.startsWith('packages/webhook-verifier/src/'));
    expect(outside).toEqual([]);
  });

  test('the client imports nothing but itself, except in its file store and its command', () => {
    const outside = sourcesOf('client')
      .flatMap((file) => importsOf(file))
      .filter(({ to }) => !to.startsWith('packages/client/src/'));
    const isForNode = ({ from, to }: Import) =>
      (/\/(?:file-store|listen)\//.test(from) && to.startsWith('node:')) ||
      (from.includes('/listen/') && to === '@partner-hiring/webhook-verifier');
    expect(outside.filter((found) => !isForNode(found))).toEqual([]);
    expect(outside).not.toEqual([]);
    // The other parts run without Node.
    const inside = sourcesOf('client').filter((file) => !file.includes('/listen/'));
    expect(inside.flatMap((file) => importsOf(file)).filter(({ to }) => to.includes('/listen/'))).toEqual([]);
  });
});

/** Before 8.15 pg was CommonJS alone, and Node finds no names in it: who imports one could not even be loaded. */
test('the storage names nothing of pg but its types', () => {
  const named = /^import (?!type )[^;]*?\{(?!(?: type \w+,?)+ \})[^;]*? from 'pg'/m;
  expect("import { Pool, type PoolClient } from 'pg'").toMatch(named);
  for (const file of sourcesOf('postgres'))
    expect(readFileSync(join(ROOT, file), 'utf8'), file).not.toMatch(named);
});

test('only tests import test-support', () => {
  const importers = PACKAGES.flatMap(sourcesOf).filter((file) =>
    importsOf(file).some(({ to }) => to.includes(TEST_SUPPORT)),
  );
  expect(importers).toEqual([]);
});
