/** A health check for images without curl: `node probe.mjs /readyz` exits with 0 if the process answers 200. */
const url = `http://127.0.0.1:${process.env.HEALTH_PORT ?? 9465}${process.argv[2] ?? '/livez'}`;
const reply = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch((error) => error);
if (reply.ok !== true) {
  console.error(reply instanceof Error ? reply.message : `${url} answered ${reply.status}.`);
  process.exit(1);
}
