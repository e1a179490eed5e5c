/** The small part of PostgreSQL's wire protocol that a pooler must understand: where messages begin and end. */

/** A message of the PostgreSQL protocol. The type of the first message on a connection is empty. */
export interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Splits a stream into messages and calls back for each. */
export function createMessageReader(
  onMessage: (message: Message) => void,
  startsUntyped: boolean,
): (bytes: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  let isUntyped = startsUntyped;

  return (bytes) => {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
    for (;;) {
      const lengthAt = isUntyped ? 0 : 1;
      if (pending.length < lengthAt + 4) return;
      const end = lengthAt + pending.readInt32BE(lengthAt);
      if (pending.length < end) return;
      const message = {
        type: isUntyped ? '' : String.fromCharCode(pending[0] ?? 0),
        bytes: pending.subarray(0, end),
      };
      pending = pending.subarray(end);
      // After a request for encryption, the next message again has no type.
      if (isUntyped && !isEncryptionRequest(message)) isUntyped = false;
      onMessage(message);
    }
  };
}

/** The codes of the requests to encrypt the connection, by SSL or GSSAPI. */
const ENCRYPTION_REQUESTS: ReadonlySet<number> = new Set([80_877_103, 80_877_104]);
const CANCEL_REQUEST = 80_877_102;

export function isEncryptionRequest({ type, bytes }: Message): boolean {
  return type === '' && ENCRYPTION_REQUESTS.has(bytes.readInt32BE(4));
}

export function isCancelRequest({ type, bytes }: Message): boolean {
  return type === '' && bytes.readInt32BE(4) === CANCEL_REQUEST;
}

/**
 * Returns whether the server ends its response to this message with `ReadyForQuery`. It does so after a
 * simple query or a sync.
 */
export function endsRequest({ type }: Message): boolean {
  return type === 'Q' || type === 'S';
}

/** Returns the transaction state that a `ReadyForQuery` message reports; null for other messages. */
export function readyStatus({ type, bytes }: Message): 'idle' | 'in_transaction' | null {
  if (type !== 'Z') return null;
  return String.fromCharCode(bytes[5] ?? 0) === 'I' ? 'idle' : 'in_transaction';
}

/** Builds a message. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Builds a simple query. */
export function query(text: string): Buffer {
  return message('Q', Buffer.from(`${text}\0`));
}

/** Builds a fatal error. */
export function fatal(code: string, text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`));
}

/**
 * Returns the name of the statement that a message prepares, binds, describes or closes; null for other
 * messages.
 */
export function statementOf({ type, bytes }: Message): string | null {
  const body = bytes.subarray(5);
  if (type === 'P') return textAt(body, 0);
  if (type === 'B') return textAt(body, body.indexOf(0) + 1);
  const isOfStatement = (type === 'D' || type === 'C') && String.fromCharCode(body[0] ?? 0) === 'S';
  return isOfStatement ? textAt(body, 1) : null;
}

function textAt(body: Buffer, start: number): string {
  return body.subarray(start, body.indexOf(0, start)).toString();
}

/** Returns the messages with which a server without authentication welcomes a client. */
export function welcome(parameters: Readonly<Record<string, string>>): Buffer {
  const told = Object.entries(parameters).map(([name, value]) =>
    message('S', Buffer.from(`${name}\0${value}\0`)),
  );
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    ...told,
    message('K', Buffer.alloc(8)),
    message('Z', Buffer.from('I')),
  ]);
}
