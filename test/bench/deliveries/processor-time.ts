import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';

/** Reads what a PostgreSQL server and all its processes, also those that ended, have used so far, in ms. */
export async function createServerTime(connectionString: string): Promise<(() => number) | null> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = readStat(String(rows[0]?.pid))?.parent;
  await client.end();
  if (postmaster === undefined) return null;
  const tickMs = readTickMs();
  return () => {
    for (;;) {
      const server = readStat(postmaster);
      const children = readdirSync('/proc')
        .map(readStat)
        .filter((stat) => stat?.parent === postmaster);
      const ticks = [server, ...children].reduce((sum, stat) => sum + (stat?.ticks ?? 0), server?.ended ?? 0);
      // A process that ended meanwhile is in neither of the two.
      if (readStat(postmaster)?.ended === server?.ended) return ticks * tickMs;
    }
  };
}

/** Reads what a process has used so far, in ms. Null where the operating system does not show it. */
export function createProcessTime(pid: number | undefined): (() => number) | null {
  if (readStat(String(pid)) === undefined) return null;
  const tickMs = readTickMs();
  return () => (readStat(String(pid))?.ticks ?? 0) * tickMs;
}

function readTickMs(): number {
  return 1_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}

interface Stat {
  readonly parent: string;
  readonly ticks: number;
  /** Of children that ended. */
  readonly ended: number;
}

/** A process as Linux shows it; undefined for what is no process, or elsewhere. */
function readStat(pid: string): Stat | undefined {
  if (!/^\d+$/.test(pid)) return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return { parent: fields[1] ?? '', ticks: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
