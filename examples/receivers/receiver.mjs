// A webhook receiver. Run: WEBHOOK_SECRET=whsec_… PORT=4000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const SECRETS = process.env.WEBHOOK_SECRET.match(/[^\s,]+/g) ?? []; // one or several
const MAX_BYTES = 1_048_576;
const seen = new Set(); // yours is a table with a unique column

function isGenuine(header, body) {
  const entries = header.split(',').map((entry) => entry.trim());
  const t = entries.find((entry) => entry.startsWith('t='))?.slice(2) ?? '';
  if (!/^\d{1,12}$/.test(t) || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false;
  const given = entries.map((entry) => Buffer.from(entry));
  return SECRETS.some((secret) => {
    const hmac = createHmac('sha256', secret).update(`${t}.`).update(body);
    const expected = Buffer.from(`v1=${hmac.digest('hex')}`);
    return given.some((entry) => entry.length === expected.length && timingSafeEqual(entry, expected));
  });
}

async function receive(request, response) {
  const chunks = []; // the raw bytes, before anything parses them
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) return response.writeHead(413).end();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers['x-partner-signature'] ?? '', body)) return response.writeHead(400).end();
  const event = JSON.parse(body.toString());
  if (!seen.has(event.id)) console.log(event.id, event.type);
  seen.add(event.id);
  response.writeHead(204).end();
}

// Ends requests that take longer to arrive than 30 seconds. Node limits the header lines itself.
createServer({ requestTimeout: 30_000, connectionsCheckingInterval: 5_000 }, (request, response) => {
  receive(request, response).catch(() => response.writeHead(400).end());
}).listen(process.env.PORT, process.env.HOST);
