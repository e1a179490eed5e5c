/** The settings that the processes read from their environment. */
export interface ProcessSettings {
  readonly databaseUrl: string;
  /** The sealing key. All processes need the same one. */
  readonly secretKey: string;
  /** The name of the deployment, such as `production`. Undefined if it has none. */
  readonly deployment: string | undefined;
  /** The address that the servers listen on. */
  readonly host: string;
  readonly port: number;
  readonly healthPort: number;
  /** How long the process goes on after its readiness fails, so that the load balancer notices, in milliseconds. */
  readonly drainMs: number;
  /** Allows webhooks to plain http on this machine. For tests only. */
  readonly allowPrivateNetworks: boolean;
}

/** Reads the settings. @throws Error that names the missing variable. */
export function readProcessSettings(env: NodeJS.ProcessEnv): ProcessSettings {
  return {
    databaseUrl: required(env, 'DATABASE_URL'),
    secretKey: required(env, 'PARTNER_HIRING_SEALING_KEY'),
    deployment: env.PARTNER_HIRING_DEPLOYMENT || undefined,
    host: env.HOST ?? '127.0.0.1',
    port: Number(env.PORT ?? 3000),
    healthPort: Number(env.HEALTH_PORT ?? 9465),
    drainMs: Number(env.DRAIN_MS ?? 5_000),
    allowPrivateNetworks: env.ALLOW_PRIVATE_NETWORKS === 'yes',
  };
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`Set ${name}.`);
  return value;
}
