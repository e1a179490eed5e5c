/** The ceiling: undici's own pool and nothing else. No database, no signature, no check of where it goes. */
import { Pool } from 'undici';
import { obey } from './obey.js';

const [origin = '', count = '', inFlight = '', body = '', ...paths] = process.argv.slice(2);
const pool = new Pool(origin, { connections: Number(inFlight), pipelining: 1 });
const headers = { 'content-type': 'application/json' };

async function send(): Promise<void> {
  let next = 0;
  const loops = Array.from({ length: Number(inFlight) }, async () => {
    for (let index = next++; index < Number(count); index = next++) {
      const path = paths[index % paths.length] ?? '/';
      const { body: answer } = await pool.request({ method: 'POST', path, headers, body });
      await answer.dump();
    }
  });
  await Promise.all(loops);
}

let sending: Promise<void> = Promise.resolve();
obey({
  start: () => {
    sending = send();
  },
  stop: () => sending,
});
