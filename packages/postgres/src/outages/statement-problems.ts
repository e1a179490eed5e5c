import { type Explanation, isFromServer, outageMessageOf, seconds, sqlStateOf } from './explanation.js';
import type { Place } from './place.js';

/** Explains an error that ended a statement or its connection. Returns null if it is not known. */
export function explainStatement(error: unknown, place: Place): Explanation | null {
  if (!isFromServer(error)) {
    if (outageMessageOf(error) === 'Query read timeout') return unanswered(place);
    return LOST.test(`${sqlStateOf(error)} ${outageMessageOf(error)}`) ? lost(place) : null;
  }
  return (
    BY_STATE.find(([states]) => states.test(sqlStateOf(error)))?.[1](place, outageMessageOf(error)) ?? null
  );
}

function unanswered({ name, waits: { statement } }: Place): Explanation {
  const { ms, option } = statement;
  return {
    finding: `No answer ${ms === null ? 'in time' : `within ${seconds(ms)}`} from ${name}.`,
    fix: `Check the network and the load of the server.${option === null ? '' : ` If the server is only slow, raise ${option}.`}`,
  };
}

const LOST = /^(?:E[A-Z]+ |ERR_|\S* ?(?:Connection terminated|Client (?:has encountered|was closed)))/;

const lost = ({ name }: Place): Explanation => ({
  finding: `The connection to ${name} was lost.`,
  fix: 'The next call connects again. If this happens often, see the log of the server, and look for a proxy or firewall that closes idle connections.',
});

/** Explains a wait for a lock that was too long. */
export function explainLockTimeout({ waits: { lock } }: Place): string {
  const { ms, option } = lock;
  return (
    `Another transaction holds what this one needs, and did not end${ms === null ? ' in time' : ` within ${seconds(ms)}`}. ` +
    "Find it: `select pg_blocking_pids(pid), query from pg_stat_activity where wait_event_type = 'Lock'`." +
    (option === null ? '' : ` To wait longer, raise ${option}.`)
  );
}

type Explain = (place: Place, message: string) => Explanation;

const stopping: Explain = ({ name }, message) => ({
  finding: `The server ended the connection to ${name}: ${message}.`,
  fix: 'An administrator has stopped the server or ended the session, or it has crashed. The next call connects again.',
});

const BY_STATE: readonly (readonly [RegExp, Explain])[] = [
  [
    // read_only_sql_transaction
    /^25006$/,
    () => ({
      finding: 'The PostgreSQL server accepts no writes.',
      fix:
        'If it is not a standby, `default_transaction_read_only` is on for the role, the database or the server. ' +
        'To fix that, run `alter role … set default_transaction_read_only = off`.',
    }),
  ],
  [
    // query_canceled
    /^57014$/,
    () => ({
      finding: 'The PostgreSQL server cancelled a statement.',
      fix:
        'If no operator did so, a `statement_timeout` of the role, the database or your pool is too short. ' +
        'To fix that, run `alter role … set statement_timeout = 0`: the storage has a timeout of its own, `timeouts.statementMs`.',
    }),
  ],
  [
    // transaction_timeout
    /^25P04$/,
    () => ({
      finding:
        'The PostgreSQL server ended a transaction, because a `transaction_timeout` of the role, the database or your pool is too short.',
      fix: 'To fix that, run `alter role … set transaction_timeout = 0`: the storage has timeouts of its own.',
    }),
  ],
  [
    // idle_in_transaction_session_timeout
    /^25P03$/,
    ({ name }) => ({
      finding: `The server ended a transaction on ${name}, because it waited too long for the next statement.`,
      fix: 'The process was frozen or busy. If it may be, raise `timeouts.idleMs`, or the `idle_in_transaction_session_timeout` of your connection.',
    }),
  ],
  [
    // idle_session_timeout
    /^57P05$/,
    ({ name }) => ({
      finding: `The server ended an idle connection to ${name}.`,
      fix: 'The next call connects again. To avoid this, raise `idle_session_timeout` of the role, or lower `idleTimeoutMillis` of your pool.',
    }),
  ],
  [/^57P/, stopping],
  [
    // disk_full
    /^53100$/,
    ({ name }) => ({ finding: `The disk of ${name} is full.`, fix: 'Free or add space at the server.' }),
  ],
  [
    /^53200$/,
    ({ name }, message) => ({
      finding: `The server of ${name} has no memory left: ${message}.`,
      fix: 'Lower `work_mem` or the number of connections, or add memory.',
    }),
  ],
];
