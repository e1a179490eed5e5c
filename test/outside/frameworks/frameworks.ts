/** A framework in one major version, with a host in `test/outside/hosts/servers`. */
export interface Framework {
  readonly name: string;
  /** The host's file, without its ending. */
  readonly program: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Our packages that the host installs besides core, SQLite and the console. */
  readonly packages: readonly string[];
  /** Packages of others, with their ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** What the framework answers where it has no page. */
  readonly notFound: string;
}

function express(major: number): Framework {
  return {
    name: `Express ${major}`,
    program: 'express',
    packages: ['express'],
    dependencies: { express: `^${major}.0.0` },
    notFound: 'Cannot GET /nothing',
  };
}

function koa(major: number): Framework {
  return {
    name: `Koa ${major}`,
    program: 'koa',
    packages: ['node'],
    dependencies: { koa: `^${major}.0.0` },
    notFound: 'Not Found',
  };
}

function nest(major: number, platform: 'express' | 'fastify'): Framework {
  const names = ['common', 'core', 'platform-express', 'platform-fastify'];
  const ranges = names.map((name) => [`@nestjs/${name}`, `^${major}.0.0`]);
  return {
    name: `Nest ${major} on ${platform}`,
    program: 'nest',
    env: { NEST_PLATFORM: platform },
    packages: ['nest'],
    dependencies: { ...Object.fromEntries(ranges), 'reflect-metadata': '^0.2.2', rxjs: '^7.8.0' },
    notFound: 'Cannot GET /nothing',
  };
}

/** Every framework in each supported version. */
export const FRAMEWORKS: readonly Framework[] = [
  koa(2),
  koa(3),
  {
    name: 'Hapi',
    program: 'hapi',
    packages: ['node'],
    dependencies: { '@hapi/hapi': '^21.4.0' },
    notFound: '"message":"Not Found"',
  },
  express(4),
  express(5),
  {
    name: 'Fastify',
    program: 'fastify',
    packages: ['fastify'],
    dependencies: { fastify: '^5.0.0' },
    notFound: 'Route GET:/nothing not found',
  },
  {
    name: 'node:http',
    program: 'node-http',
    packages: ['node'],
    dependencies: {},
    notFound: 'No such page.',
  },
  ...[11, 12].flatMap((major) => [nest(major, 'express'), nest(major, 'fastify')]),
];

/** The hosts that `test/outside/hosts/servers/package.json` installs, one for each framework. */
export function hostsOfServers(): readonly Framework[] {
  return FRAMEWORKS.filter(({ name }) => !/ (?:2|4|12)\b/.test(name));
}
