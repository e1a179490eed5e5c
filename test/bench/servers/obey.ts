import type { FromSender, ToSender } from '../deliveries/sender.js';

/** What a sender can do. */
export interface Program {
  start(): unknown;
  stop(): Promise<unknown>;
  /** Commits one event with that mark in its body. */
  commit?(mark: string, key: string): Promise<unknown>;
}

/** Carries out the orders of the parent process. */
export function obey(program: Program, ready: Readonly<Record<string, unknown>> = {}): void {
  process.on('message', (order: ToSender) => {
    void carryOut(program, order).then((marks) => {
      const { user, system } = process.cpuUsage();
      const answer: FromSender = { kind: 'done', processorMs: (user + system) / 1_000, marks };
      process.send?.(answer);
    });
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ port: 0, ...ready });
}

async function carryOut(program: Program, order: ToSender): Promise<Record<string, number>> {
  const marks: Record<string, number> = {};
  if (order.kind === 'start') await program.start();
  if (order.kind === 'stop') await program.stop();
  if (order.kind === 'commit') {
    const startedAt = performance.now();
    const commits: Promise<void>[] = [];
    for (let index = 0; index < order.count; index += 1) {
      const waitMs = startedAt + index * order.everyMs - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      const mark = `${order.key}-${startedAt}-${index}`;
      const commit = async () => {
        await program.commit?.(mark, order.key);
        marks[mark] = performance.timeOrigin + performance.now();
      };
      commits.push(commit());
    }
    await Promise.all(commits);
  }
  return marks;
}
