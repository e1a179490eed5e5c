import { isAnyError } from '@partner-hiring/storage-kysely';
import { outageMessageOf, seconds, sqlStateOf } from './explanation.js';
import type { Place } from './place.js';

/** Why a connection failed: a clause that follows a colon, and the fix in sentences. */
export interface Problem {
  readonly problem: string;
  readonly fix: string;
}

const LOOPBACK = /^(?:localhost|127\.|::1$)/;

/** Explains an error of the network or of `pg` from the time before the server accepted the login. */
export function networkProblem(error: unknown, place: Place): Problem | null {
  const message = outageMessageOf(error);
  const known = BY_CODE.find(([codes]) => codes.test(sqlStateOf(error)))?.[1];
  const explain = known ?? BY_MESSAGE.find(([messages]) => messages.test(message))?.[1];
  return explain?.(place, error) ?? null;
}

type Explain = (place: Place, error: unknown) => Problem;

const notFound: Explain = ({ host }, error) => ({
  problem: `the host ${host} was not found (${sqlStateOf(error)})`,
  fix:
    sqlStateOf(error) === 'EAI_AGAIN'
      ? "Check the host in the connection string, and this machine's name server: it gave no answer."
      : "Check the host in the connection string, and this machine's name server.",
});

const refused: Explain = ({ host, socket }) => ({
  problem:
    socket === null
      ? 'no server listens there (ECONNREFUSED)'
      : 'no server listens on the socket (ECONNREFUSED)',
  fix: `Check the host and the port in the connection string, and that the server runs and listens on this address.${
    LOOPBACK.test(host)
      ? ` In a container, ${host} is the container itself: use the name of the database's host.`
      : ''
  }`,
});

const noSocket: Explain = (_, error) => ({
  problem: `the socket does not exist, or this user may not use it (${sqlStateOf(error)})`,
  fix: 'Check that the server runs. Its `unix_socket_directories` names the folder of the socket, and `port` the number at its end.',
});

const noRoute: Explain = (_, error) => {
  const isIpv6 = isAnyError(error) && 'address' in error && String(error.address).includes(':');
  return {
    problem: `the network has no way to the host (${sqlStateOf(error)})`,
    fix: isIpv6
      ? 'The host has an IPv6 address, and this network may only have IPv4: use an address or a pooler with IPv4.'
      : 'Check the route, the firewall and the VPN between this machine and the server.',
  };
};

const tooSlow: Explain = ({ waits: { connect } }) => ({
  problem: `no answer ${connect.ms === null ? 'in time' : `within ${seconds(connect.ms)}`}`,
  fix: `Check the host, the port and the firewall: a server behind a closed one never answers.${
    connect.option === null ? '' : ` If the server is only slow, raise ${connect.option}.`
  }`,
});

const noneFree: Explain = ({ waits: { connect, connections } }) => {
  const { count, option } = connections;
  const all = count === 1 ? 'its only one is in use' : `all ${count ?? 'of them'} are in use`;
  return {
    problem: `no connection of the pool became free ${connect.ms === null ? 'in time' : `within ${seconds(connect.ms)}`}: ${all}`,
    fix: `Look for transactions that stay open. If there are none, raise ${option}${
      connect.option === null ? '' : ` or ${connect.option}`
    }.`,
  };
};

const closed: Explain = () => ({
  problem: 'the server closed the connection before it answered',
  fix:
    'Check that the port is that of PostgreSQL. If so, the server may be stopping, out of connections, or behind a proxy that ' +
    'cannot reach it: see its log.',
});

const noTls: Explain = ({ isOfHost }) => ({
  problem: 'the server has no TLS, but the connection requires it',
  fix: `Set \`ssl = on\` at the server. On a network that you trust, connect without TLS: ${
    isOfHost ? '`ssl: false` in your pool' : '`tls: false`'
  }, or \`sslmode=disable\` in the connection string.`,
});

const otherProtocol: Explain = () => ({
  problem: 'the answer is not that of PostgreSQL',
  fix: 'Check the port in the connection string: another program listens there.',
});

export const noPassword = ({ user }: Place): Problem => ({
  problem: `the server asks for the password of "${user}", and there is none`,
  fix: 'Add the password to the connection string. In PGPASSWORD or a variable of your URL, it may be unset or empty.',
});

/** Before the messages, because a code is exact. */
const BY_CODE: readonly (readonly [RegExp, Explain])[] = [
  [/^(?:ENOTFOUND|EAI_\w+)$/, notFound],
  [/^ECONNREFUSED$/, refused],
  [/^(?:ENOENT|EACCES|ENOTSOCK|ENOTDIR)$/, noSocket],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|EHOSTDOWN)$/, noRoute],
  [/^ETIMEDOUT$/, tooSlow],
  [/^(?:ECONNRESET|EPIPE)$/, closed],
];

/** `pg` gives its own errors no code. */
const BY_MESSAGE: readonly (readonly [RegExp, Explain])[] = [
  [/^timeout exceeded when trying to connect/, noneFree],
  [/^(?:timeout expired|Connection terminated due to connection timeout)/, tooSlow],
  [/^Connection terminated/, closed],
  [/does not support SSL connections/, noTls],
  [/establishing an SSL connection|received invalid response/, otherProtocol],
  [/client password must be/, noPassword],
];
