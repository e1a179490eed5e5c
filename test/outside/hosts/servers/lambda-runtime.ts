/**
 * Stands in for the runtime of AWS Lambda: reads events as lines of JSON, calls the handler of docs/other-servers.md, and
 * writes its answers as lines of JSON. Freezes this process right after each answer, as Lambda does.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { handler } from './lambda.js';

const STDOUT = 1;

for await (const event of createInterface({ input: process.stdin })) {
  const answer = await handler(JSON.parse(event));
  writeSync(STDOUT, `${JSON.stringify(answer)}\n`);
  process.kill(process.pid, 'SIGSTOP');
}
