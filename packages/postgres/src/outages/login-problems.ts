import { outageMessageOf, sqlStateOf } from './explanation.js';
import { noPassword, type Problem } from './network-problems.js';
import type { Place } from './place.js';
import { CLIENT_CERTIFICATE } from './tls-problems.js';

/** Explains why the server or a pooler refused the login. */
export function loginProblem(error: unknown, place: Place): Problem {
  const told = `${sqlStateOf(error)} ${outageMessageOf(error)}`;
  const known = PROBLEMS.find(([pattern]) => pattern.test(told));
  return (
    known?.[1](place, told) ?? {
      problem: `the server refuses it: ${outageMessageOf(error)} (${sqlStateOf(error)})`,
      fix: 'Fix the reported cause. The log of the server or the pooler may say more.',
    }
  );
}

type Explain = (place: Place, told: string) => Problem;

const wrongLogin: Explain = (place) => (place.hasPassword ? refusedLogin(place) : noPassword(place));

const refusedLogin = ({ user }: Place): Problem => ({
  problem: `the server refuses the user "${user}" or the password`,
  fix: 'Correct both in the connection string. Characters such as # or / must be percent-encoded in it.',
});

const noEntry: Explain = ({ usesTls, isOfHost }, told) => {
  const isRefused = /rejects/.test(told);
  const withTls = isOfHost ? '`ssl: true` in your pool' : '`tls: true`';
  return {
    problem: `the server's pg_hba.conf ${isRefused ? 'rejects' : 'has no entry for'} this user, database and address${
      usesTls ? '' : ' without TLS'
    }`,
    fix: usesTls
      ? 'Add an entry to pg_hba.conf, and run `select pg_reload_conf()`.'
      : `The server may require TLS: pass ${withTls}, or add \`sslmode=verify-full\` to the connection string. Otherwise add an entry to pg_hba.conf, and run \`select pg_reload_conf()\`.`,
  };
};

const noRole: Explain = ({ user }) => ({
  problem: `the role "${user}" does not exist`,
  fix: 'Correct the user in the connection string, or create the role.',
});

const noLogin: Explain = ({ user }) => ({
  problem: `the role "${user}" may not log in`,
  fix: `Run \`alter role "${user}" login\`, or connect as another role.`,
});

const noDatabase: Explain = ({ database }) => ({
  problem: `there is no database "${database}"`,
  fix: `Correct the name at the end of the connection string, or run \`create database "${database}"\`.`,
});

const closedDatabase: Explain = ({ database }) => ({
  problem: `the database "${database}" accepts no connections`,
  fix: `Run \`alter database "${database}" allow_connections true\`, or connect to another one.`,
});

const mayNotConnect: Explain = ({ database, user }) => ({
  problem: `the role "${user}" may not connect to the database`,
  fix: `Run \`grant connect on database "${database}" to "${user}"\`.`,
});

const tooMany: Explain = ({ user, database }, told) => {
  const of = /for (role|user|database) /i.exec(told)?.[1]?.toLowerCase();
  const limited = of === 'database' ? `database "${database}"` : `role "${user}"`;
  return of === undefined
    ? {
        problem: 'all connections of the server are in use',
        fix: "Lower the pools of your processes, use a pooler, or raise the server's `max_connections`.",
      }
    : {
        problem: `all connections that the ${limited} may have are in use`,
        fix: `Lower the pools of your processes, or raise the limit: \`alter ${limited} connection limit …\`.`,
      };
};

const notReady: Explain = (_, told) => ({
  problem: `the server ${/shutting down|57P01|57P02/.test(told) ? 'is shutting down' : 'is starting, recovering or shutting down'}`,
  fix: 'Wait until it accepts connections: the next call connects again.',
});

const startupParameter: Explain = (_, told) => ({
  problem: `the pooler refuses a setting of the connection: ${told.replace(/^\S+ /, '')}`,
  fix: 'Remove the setting from the connection string, or add it to `ignore_startup_parameters` of PgBouncer.',
});

const noTenant: Explain = () => ({
  problem: 'the pooler does not know the user',
  fix: "Supabase's pooler expects the user `postgres.` followed by the project's reference. Copy the connection string from its dashboard.",
});

/** Each row matches the code and the message. Poolers send codes of their own, so some rows match only the message. */
const PROBLEMS: readonly (readonly [RegExp, Explain])[] = [
  [/pg_hba\.conf/, noEntry],
  [
    /valid client certificate|certificate authentication failed/,
    (place) => ({
      problem: 'the server requires a certificate of the client',
      fix: CLIENT_CERTIFICATE(place),
    }),
  ],
  [/is not permitted to log in/, noLogin],
  [/^28\S* role .* does not exist/, noRole],
  [/^3D|no such database/i, noDatabase],
  [/unsupported startup parameter/i, startupParameter],
  [/tenant or user not found/i, noTenant],
  [/^28|no such user|password authentication failed/i, wrongLogin],
  [
    /^53300|too many (?:connections|clients)|no more connections allowed|max_client_conn|max clients reached/i,
    tooMany,
  ],
  [/^57P0[123]/, notReady],
  [/^55000/, closedDatabase],
  [/^42501/, mayNotConnect],
];
