import type { FastifyInstance } from 'fastify';
import { hasCode } from './private-file.js';
import { SetupError } from './setup-error.js';

/** The address to listen on, and the environment variable that sets its port. */
export interface ListenTarget {
  readonly host: string;
  readonly port: number;
  readonly variable: 'PORT' | 'RECEIVER_PORT';
}

/**
 * Listens, and returns the server's address, such as `http://127.0.0.1:3000`.
 *
 * @throws SetupError if the port or the host is not available.
 */
export async function listen(app: FastifyInstance, { host, port, variable }: ListenTarget): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const isHostUnfit = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'].some((code) => hasCode(error, code));
    const reason = hasCode(error, 'EADDRINUSE') ? 'something else listens there' : String(error);
    const other = otherPort(port);
    const fix = isHostUnfit
      ? 'Set HOST to an address of this machine, or leave it out.'
      : `Choose another port: ${variable}=${other} npm start`;
    throw new SetupError(`Cannot listen on ${host}:${port}: ${reason}. ${fix}`, { cause: error });
  }
}

/** Returns another port to suggest. It needs no special privileges. */
function otherPort(port: number): number {
  if (port < 1_024) return port + 8_000;
  return port < 60_000 ? port + 100 : port - 100;
}
